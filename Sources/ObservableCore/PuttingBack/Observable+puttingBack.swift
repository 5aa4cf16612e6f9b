// SPDX-License-Identifier: MIT

extension Observable {
  /// Stores the value as if it had never had another. Call it only within ``puttingBack(_:)``.
  package final func putBack(_ value: Value) { replaceAll(by: value) }
}

extension Node {
  /// Whether others are computed from the node's own value. That of a computed is not its own, nor is one that
  /// follows something else, such as whether a command is executing.
  package final var isSource: Bool { !has([.computed, .event]) && !isFollowing }

  /// Whether the node is an observable whose value follows one that is kept elsewhere, such as a run of a
  /// command or a model of Swift's Observation. A combiner never is.
  final var isFollowing: Bool {
    get { !has([.computed, .combiner, .event]) && has(.following) }
    set { set(.following, to: newValue) }
  }
}
