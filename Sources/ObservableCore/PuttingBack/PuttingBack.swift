// SPDX-License-Identifier: MIT

/// Puts values back as if they had been there from the first: no observer is told, and no handler runs.
///
/// Computeds that saw another value are computed again. Those that are observed, or inputs of a combiner, run
/// at the end of this call; others run when they are read. A combiner keeps its value, and runs at the next
/// notification after this.
///
/// `body` must do nothing with the graph but call `Observable.putBack(_:)` and `Node.putBack(_:)`.
///
/// - Precondition: no transaction is open, and no formula runs.
package func puttingBack(_ body: () -> Void) { withPropagation { $0.putBack(body) } }

/// Tells observers of present values as if they had just been written and were changes, in one transaction.
///
/// - Precondition: no transaction is open.
/// - Throws: the errors of handlers; then every value is as it was before.
package func tellAnew<Value>(_ observables: [Observable<Value>]) throws {
  try withPropagation { try $0.tellAnew(observables) }
}

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
