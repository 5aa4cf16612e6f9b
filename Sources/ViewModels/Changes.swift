// SPDX-License-Identifier: MIT
import ObservableCore

/// Which outputs have changed since they were last asked for.
final class Changes: Watcher {
  private var tags: [Int] = []
  /// Called at the first change after the changes were taken.
  var didBegin: () -> Void = {}

  func nodeDidChange(_ tag: Int) {
    tags.append(tag)
    if tags.count == 1 { didBegin() }
  }

  /// The outputs that changed, each once, in the order of the surface.
  func take() -> [Int] {
    guard !tags.isEmpty else { return [] }
    let taken = tags.count == 1 ? tags : Set(tags).sorted()
    tags.removeAll(keepingCapacity: true)
    return taken
  }
}
