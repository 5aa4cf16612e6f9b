// SPDX-License-Identifier: MIT

extension Observable {
  /// Holds the value as if it had never had another. Only within ``puttingBack(_:)``.
  package final func putBack(_ value: Value) {
    withPropagation { propagation in
      // What goes may run user code, which must not find values half put back.
      propagation.leavingObjects.append(Unmanaged.passRetained(Gone(current, before) as AnyObject))
      current = value
      before = value
      propagation.didPutBack(state)
    }
  }
}

/// Values on their way out.
private final class Gone<Value> {
  private let values: (Value, Value)
  init(_ current: Value, _ before: Value) { values = (current, before) }
}

extension Node {
  /// Whether the node's value is one that others are computed from: neither a computed's, nor one that follows something
  /// else, such as whether a command is executing.
  package final var isSource: Bool { !state.has([.computed, .event]) && !isFollowing }

  /// Whether the node is an observable whose value follows what is kept elsewhere: a run of a command, or a model of
  /// Swift's Observation. A combiner never is.
  final var isFollowing: Bool {
    get { !state.has([.computed, .combiner, .event]) && state.has(.following) }
    set { if newValue { state.pointee.flags.insert(.following) } else { state.pointee.flags.remove(.following) } }
  }
}
