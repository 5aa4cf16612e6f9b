// SPDX-License-Identifier: MIT

/// Has every value that `body` puts back be as if it had been there from the first: nobody is told, and no handler runs.
///
/// Computeds that saw another value are computed again: those that are observed, or inputs of a combiner, at the end of
/// this, others when they are read. A combiner keeps what it has, and runs again at the next notification after this.
///
/// `body` must do nothing with the graph but `Observable.putBack(_:)` and `Node.putBack(_:)`.
///
/// - Precondition: no transaction is open, and no formula runs.
package func puttingBack(_ body: () -> Void) { withPropagation { $0.putBack(body) } }

/// Tells of present values as if they had just been written and were changes, in one transaction.
///
/// - Precondition: no transaction is open.
/// - Throws: what handlers threw, with every value again as it was before.
package func tellAnew<Value>(_ observables: [Observable<Value>]) throws {
  try withPropagation { propagation in
    try propagation.tellAnew(observables.map(\.state)) {
      for observable in observables { observable.before = observable.current }
    }
  }
}

extension Propagation {
  fileprivate func putBack(_ body: () -> Void) {
    precondition(phase == .idle && !mustNotWrite, "values were put back within a transaction or a formula")
    // As after an undone transaction.
    phase = .restoring
    policy = .finish
    body()
    settlePending()
    var nodes: [NodePointer] = []
    touched.forEach { if let node = $0.node { nodes.append(node) } }
    catchUp(nodes)
    phase = .settling
    commitAll()
    finish()
  }

  /// A value was put back: who depends on it takes the present version for the one that it knows.
  func didPutBack(_ node: NodePointer) {
    assert(phase == .restoring, "a value was put back outside 'puttingBack'")
    bump(node)
    touch(node)
    takeBack(node, to: node.pointee.version)
  }

  fileprivate func tellAnew(_ nodes: [NodePointer], _ keepBefore: () -> Void) throws {
    precondition(phase == .idle && !mustNotWrite, "values were told anew within a transaction or a formula")
    phase = .settling
    policy = .undo
    keepBefore()
    for node in nodes {
      node.pointee.flags.insert(.hasBefore)
      touch(node)
      changed(node)
    }
    try conclude()
  }
}
