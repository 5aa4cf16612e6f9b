// SPDX-License-Identifier: MIT

/// Has every value that `body` puts back be as if it had been there from the first: nobody is told, and no handler runs.
///
/// Computeds that saw another value are computed again: those that are observed, or inputs of a combiner, at the end of
/// this, others when they are read. A combiner keeps its value, and runs again at the next notification after this.
///
/// `body` must do nothing with the graph but `Observable.putBack(_:)` and `Node.putBack(_:)`.
///
/// - Precondition: no transaction is open, and no formula runs.
package func puttingBack(_ body: () -> Void) { withPropagation { $0.putBack(body) } }

/// Tells of present values as if they had just been written and were changes, in one transaction.
///
/// - Precondition: no transaction is open.
/// - Throws: the errors of handlers, with every value again as it was before.
package func tellAnew<Value>(_ observables: [Observable<Value>]) throws {
  try withPropagation { try $0.tellAnew(observables) }
}
