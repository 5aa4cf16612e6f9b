// SPDX-License-Identifier: MIT
import ObservableCore

/// Takes note of the nodes that were told to have changed.
final class Dirty: Watcher {
  private var tags: [Int] = []

  func nodeDidChange(_ tag: Int) { tags.append(tag) }

  /// The tags that were told since the last time.
  func take() -> [Int] {
    defer { tags = [] }
    return tags.sorted()
  }
}
