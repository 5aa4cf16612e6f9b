// SPDX-License-Identifier: MIT

extension Observable {
  /// Writes the value for an observer who has it already, and is told only of changes that come after it (S4-4).
  ///
  /// The write is decided at once rather than at the end of the transaction's body: a later one in the same body is a
  /// change of its own, even if it takes this one back, since the observer has this one.
  func set(_ value: Value, heardBy subscription: Subscription?) throws {
    guard let subscription else { return try set(value) }
    try transaction {
      try set(value)
      subscription.takeAsHeard(from: self)
    }
  }
}
