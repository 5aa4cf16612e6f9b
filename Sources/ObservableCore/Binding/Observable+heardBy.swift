// SPDX-License-Identifier: MIT

extension Observable {
  /// Writes the value for an observer that has it already. The observer is told only of later changes (S4-4).
  ///
  /// The write is decided at once, and not at the end of the transaction's body. So a later write in the same
  /// body is a change of its own, even if it restores the old value: the observer has this one.
  func set(_ value: Value, heardBy subscription: Subscription?) throws {
    guard let subscription else { return try set(value) }
    try transaction {
      try set(value)
      subscription.takeAsHeard(from: self)
    }
  }
}
