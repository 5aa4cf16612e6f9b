// SPDX-License-Identifier: MIT
import ObservableCore

/// Takes note of the nodes that have changed, by their tags.
final class Dirty: Watcher {
  private var tags: [Int] = []

  func nodeDidChange(_ tag: Int) { tags.append(tag) }

  /// The tags since the last call.
  func take() -> [Int] {
    defer { tags = [] }
    return tags.sorted()
  }
}
