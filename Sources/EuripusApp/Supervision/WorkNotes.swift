// SPDX-License-Identifier: MIT
import Locking
import ViewModels

/// The notes that a supervised server makes of its work, and the works by which earlier servers died.
package final class WorkNotes: Sendable {
  private let memory: NoteMemory
  /// The time of the death for which each mark is refused, in seconds of CLOCK_MONOTONIC.
  private let poisoned: Locked<[UInt64: Int64]>
  private let now: @Sendable () -> Int64

  init(_ memory: NoteMemory, poisoned: [UInt64: Int64], now: @escaping @Sendable () -> Int64 = { Suspects.now }) {
    self.memory = memory
    self.poisoned = Locked(poisoned)
    self.now = now
  }

  /// Runs `body`, with a note that the work is running.
  package func during<Result, Failure: Error>(_ work: Work, _ body: () throws(Failure) -> Result) throws(Failure)
    -> Result
  {
    try memory.during(work, body)
  }

  /// Changes the note of the calling thread to another work, within the body of `during`.
  func turn(to work: Work) { memory.turn(to: work) }

  /// Refuses nothing any more.
  func pardon() { poisoned.withLock { $0 = [:] } }

  /// The time for which things are refused.
  static let longRest: Duration = .seconds(3_600)

  /// - Parameter rest: the time after which the work itself is done again; its client and its action are refused for an
  ///   hour.
  /// - Throws: ``Poisoned`` if a server died of the work, or several died of its client's works or of its action.
  func check(_ work: Work, rest: Duration = WorkNotes.longRest) throws(Poisoned) {
    let deaths = poisoned.withLock { $0 }
    if deaths.isEmpty { return }
    let now = now()
    func isRefused(_ mark: UInt64, for rest: Duration) -> Bool {
      deaths[mark].map { now - $0 < rest.components.seconds } ?? false
    }
    if isRefused(work.mark, for: rest)
      || [work.clientMark, work.actionMark].contains(where: { isRefused($0, for: Self.longRest) })
    {
      throw Poisoned()
    }
  }
}
