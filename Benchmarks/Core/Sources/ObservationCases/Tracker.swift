// SPDX-License-Identifier: MIT
import Observation

/// An observer that runs again when a value that it read has changed.
///
/// Sendable only because `withObservationTracking` demands that of its closure: the benchmark has one thread.
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

  /// Runs the marked observers: a value that each of them read has changed.
  public static func runMarked() {
    let trackers = marked
    marked.removeAll(keepingCapacity: true)
    for tracker in trackers { tracker.run() }
  }
}
