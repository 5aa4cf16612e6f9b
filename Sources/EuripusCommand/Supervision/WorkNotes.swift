// SPDX-License-Identifier: MIT
import ViewModels

/// The notes that a supervised server makes of its work, and the works that earlier servers died of.
final class WorkNotes: Sendable {
  private let memory: NoteMemory
  /// By mark: when the last server died of it, in seconds of CLOCK_MONOTONIC.
  private let poisoned: [UInt64: Int64]
  private let now: @Sendable () -> Int64

  init(_ memory: NoteMemory, poisoned: [UInt64: Int64], now: @escaping @Sendable () -> Int64 = { Suspects.now }) {
    self.memory = memory
    self.poisoned = poisoned
    self.now = now
  }

  /// Runs `body`, which the note says is at work meanwhile.
  func during<Result, Failure: Error>(_ work: Work, _ body: () throws(Failure) -> Result) throws(Failure) -> Result {
    try memory.during(work, body)
  }

  /// - Parameter rest: how long after a death the work is tried again; `nil` for never.
  /// - Throws: ``Poisoned``, if a server died of the work.
  func check(_ work: Work, rest: Duration? = nil) throws(Poisoned) {
    guard let death = poisoned[work.mark] else { return }
    if let rest, now() - death >= rest.components.seconds { return }
    throw Poisoned()
  }
}
