// SPDX-License-Identifier: MIT
import ObservableCore

/// Takes note of what was told to have changed.
final class Dirty: Watcher {
  private var tags: [Int] = []

  func nodeDidChange(_ tag: Int) { tags.append(tag) }

  /// What was told since the last time, by its tag.
  func take() -> [Int] {
    defer { tags = [] }
    return tags.sorted()
  }
}
