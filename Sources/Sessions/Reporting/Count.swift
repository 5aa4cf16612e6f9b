// SPDX-License-Identifier: MIT
import Synchronization

/// A number that only grows.
package struct Count: ~Copyable, Sendable {
  private let number = Atomic<Int64>(0)

  init() {}

  package var value: Int64 { number.load(ordering: .relaxed) }

  func increment(by amount: Int64 = 1) { number.wrappingAdd(amount, ordering: .relaxed) }
}
