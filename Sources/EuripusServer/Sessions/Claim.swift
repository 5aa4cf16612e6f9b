// SPDX-License-Identifier: MIT
import Synchronization

/// Something that one of several may do, once.
final class Claim: Sendable {
  private let isTaken = Atomic<Bool>(false)

  /// - Returns: whether it is the caller's.
  func take() -> Bool { !isTaken.exchange(true, ordering: .acquiringAndReleasing) }
}
