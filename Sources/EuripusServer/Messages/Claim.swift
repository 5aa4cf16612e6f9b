// SPDX-License-Identifier: MIT
import Synchronization

/// A right that one of several parties may take, once.
final class Claim: Sendable {
  private let isTaken = Atomic<Bool>(false)

  /// - Returns: whether the caller has taken it.
  func take() -> Bool { !isTaken.exchange(true, ordering: .acquiringAndReleasing) }
}
