// SPDX-License-Identifier: MIT
import Observation

/// An observer that runs again when what it read has changed.
///
/// Sendable only because `withObservationTracking` demands it of what it calls: the benchmark has one thread.
public final class Tracker: @unchecked Sendable {
  // The benchmark has one thread.
  public nonisolated(unsafe) static var isBatching = false
  private nonisolated(unsafe) static var marked: [Tracker] = []

  private let body: () -> Void

  /// An observer that runs `body` now and from then on.
  public init(_ body: @escaping () -> Void) {
    self.body = body
    run()
  }

  private func run() {
    withObservationTracking(body) { [weak self] in
      if let self { Self.marked.append(self) }
    }
  }

  /// Runs those of whom something they read has changed.
  public static func runMarked() {
    let trackers = marked
    marked.removeAll(keepingCapacity: true)
    for tracker in trackers { tracker.run() }
  }
}
