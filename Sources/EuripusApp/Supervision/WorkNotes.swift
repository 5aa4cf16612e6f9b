// SPDX-License-Identifier: MIT
import ViewModels

/// The notes that a supervised server makes of its work, and the works that earlier servers died of.
package final class WorkNotes: Sendable {
  private let memory: NoteMemory
  /// The time at which the last server died of each mark, in seconds of CLOCK_MONOTONIC.
  private let poisoned: [UInt64: Int64]
  private let now: @Sendable () -> Int64

  init(_ memory: NoteMemory, poisoned: [UInt64: Int64], now: @escaping @Sendable () -> Int64 = { Suspects.now }) {
    self.memory = memory
    self.poisoned = poisoned
    self.now = now
  }

  /// Runs `body`, which the note says is at work meanwhile.
  package func during<Result, Failure: Error>(_ work: Work, _ body: () throws(Failure) -> Result) throws(Failure)
    -> Result
  {
    try memory.during(work, body)
  }

  /// Has the note of the calling thread be of another work, in the body of `during`.
  func turn(to work: Work) { memory.turn(to: work) }

  /// How long a client is not served whose requests several servers died of, no session opened where openings were, and
  /// no action done that was so with several clients.
  static let longRest: Duration = .seconds(3_600)

  /// - Parameter rest: how long after the first deaths the work is tried again; `nil` for never.
  /// - Throws: ``Poisoned``, if a server died of the work, or several of what it is a part of.
  func check(_ work: Work, rest: Duration? = nil) throws(Poisoned) {
    if poisoned.isEmpty { return }
    try check(work.mark, rest)
    try check(work.wider.action, nil)
    try check(work.wider.session, rest.map { _ in Self.longRest })
    try check(work.wider.client, Self.longRest)
    try check(work.wider.everywhere, Self.longRest)
  }

  private func check(_ mark: UInt64, _ rest: Duration?) throws(Poisoned) {
    guard let death = poisoned[mark] else { return }
    if let rest, now() - death >= rest.components.seconds { return }
    throw Poisoned()
  }
}
