// SPDX-License-Identifier: MIT

extension Observable {
  /// Holds the value as if it had never had another. Only within ``puttingBack(_:)``.
  package final func putBack(_ value: Value) { replaceAll(by: value) }
}

extension Node {
  /// Whether the node's value is one that others are computed from: neither a computed's, nor one that follows something
  /// else, such as whether a command is executing.
  package final var isSource: Bool { !has([.computed, .event]) && !isFollowing }

  /// Whether the node is an observable whose value follows one that is kept elsewhere: a run of a command, or a model
  /// of Swift's Observation. A combiner never is.
  final var isFollowing: Bool {
    get { !has([.computed, .combiner, .event]) && has(.following) }
    set { set(.following, to: newValue) }
  }
}
