// SPDX-License-Identifier: MIT

extension Propagation {
  func putBack(_ body: () -> Void) {
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

  /// Notes that a value was put back. Its dependents count as having seen the present version.
  func didPutBack(_ node: NodePointer) {
    assert(phase == .restoring, "a value was put back outside 'puttingBack'")
    bump(node)
    touch(node)
    takeBack(node, to: node.pointee.version)
  }

  func tellAnew<Value>(_ observables: [Observable<Value>]) throws {
    precondition(phase == .idle && !mustNotWrite, "values were told anew within a transaction or a formula")
    phase = .settling
    policy = .undo
    for observable in observables { observable.before = observable.current }
    for node in observables.map(\.state) {
      node.pointee.flags.insert(.hasBefore)
      touch(node)
      changed(node)
    }
    try conclude()
  }
}
