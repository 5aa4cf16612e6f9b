// SPDX-License-Identifier: MIT
import Synchronization

/// Whether new clients are to be sent to a server.
final class Readiness: Sendable {
  private let drains = Atomic<Bool>(false)

  /// Set once, when the server is about to stop.
  var isDraining: Bool { drains.load(ordering: .relaxed) }

  func drain() { drains.store(true, ordering: .relaxed) }
}
