// SPDX-License-Identifier: MIT
import ViewModels

/// The notes that a supervised server makes of its work, and the works by which earlier servers died.
package final class WorkNotes: Sendable {
  private let memory: NoteMemory
  /// The time of the last death for each mark, in seconds of CLOCK_MONOTONIC.
  private let poisoned: [UInt64: Int64]
  private let now: @Sendable () -> Int64

  init(_ memory: NoteMemory, poisoned: [UInt64: Int64], now: @escaping @Sendable () -> Int64 = { Suspects.now }) {
    self.memory = memory
    self.poisoned = poisoned
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

  /// The time for which things are refused after several deaths: the client whose requests killed servers,
  /// openings on the view model, and an action that killed servers for several clients.
  static let longRest: Duration = .seconds(3_600)

  /// - Parameter rest: the time after the last death when the work is tried again; `nil` for never.
  /// - Throws: ``Poisoned`` if a server died of the work, or several died of a thing that it is a part of.
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
