// SPDX-License-Identifier: MIT
import Synchronization

/// The counts of all sessions on one view model, since the server was made.
package final class SessionCounts: Sendable {
  package let opened = Count()
  package let closed = Count()
  package let expired = Count()
  /// Sessions in memory that were ended for a newer one of the same client.
  package let superseded = Count()
  /// Sessions in memory that an operator ended.
  package let ended = Count()
  /// Sessions that came back from the store into memory.
  package let loaded = Count()
  /// Sessions that left memory, and live on in the store.
  package let left = Count()
  /// How long actions, and settings of a value, had their sessions.
  package let actions = DurationTally()
  package let commands = Count()
  package let commandsDone = Count()
  package let commandsFailed = Count()
  package let commandsCancelled = Count()
  package let commandsTimedOut = Count()
  /// The number of times that a command's write made a state longer than it may be.
  package let statesTooLong = Count()
  /// Keys that were forgotten and answers that were given up, because the memories of keys had no room.
  package let keysForgotten = Count()
  package let answersGivenUp = Count()

  init() {}

  package var living: Int64 {
    opened.value + loaded.value - left.value - closed.value - expired.value - superseded.value
      - ended.value
  }
  package var executing: Int64 {
    commands.value - commandsDone.value - commandsFailed.value - commandsCancelled.value - commandsTimedOut.value
  }
}

/// A number that only grows.
package struct Count: ~Copyable, Sendable {
  private let number = Atomic<Int64>(0)

  init() {}

  package var value: Int64 { number.load(ordering: .relaxed) }

  func increment(by amount: Int64 = 1) { number.wrappingAdd(amount, ordering: .relaxed) }
}
