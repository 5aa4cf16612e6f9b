// SPDX-License-Identifier: MIT

extension Propagation {
  /// Notes a write in a transaction's body, which is stored already. The last write of the body decides whether
  /// there is a change.
  @usableFromInline
  func didWriteInBody(_ node: NodePointer) {
    node.pointee.flags.insert(.hasBefore)
    touch(node)
    if node.has(.traced) { traceWrite(node) }
    postpone(node, versionBefore: node.pointee.version)
    bump(node)
    mark(node)
  }

  /// Notes a write in a body whose value is equal to the one from before the transaction. The old value is put
  /// back, and no formula has to run but those that saw another value. Answers whether it was put back; if not,
  /// the write is decided at the end, like any other.
  ///
  /// It is not put back if an observer that joined in the body knows another value, or if many other nodes were
  /// written since. O(1).
  @usableFromInline
  func takeBackInBody(_ node: NodePointer) -> Bool {
    guard node.has(.undecided), !node.has(.decidedEarly) else { return false }
    guard let index = undecided.lastIndex(of: node), let touchedIndex = touched.lastIndex(of: node) else {
      return false
    }
    if node.has(.traced) { traceWrite(node) }
    takeBack(node, to: undecided[index].version)
    // It keeps its place in the list: a later write is told in the order of the first.
    undecided[index].version = node.pointee.version
    // A formula that has seen this version need not run if the transaction is undone.
    touched[touchedIndex].version = node.pointee.version
    putBack(node)
    return true
  }

  /// Notes a write while the graph settles, which is a change at once.
  @usableFromInline
  func didWriteWhileSettling(_ node: NodePointer) {
    node.pointee.flags.insert(.hasBefore)
    touch(node)
    hasWrittenSinceTold = true
    // The value of a combiner's handler is recorded with its run.
    if node.has(.traced), runner != node { traceWrite(node) }
    changed(node)
  }
}

extension PointerList<(node: NodePointer?, version: UInt32)> {
  /// The place of a node, which is in the list once; only the last 64 places are searched.
  fileprivate func lastIndex(of node: NodePointer) -> Int? {
    var index = count
    let end = max(0, count - 64)
    while index > end {
      index -= 1
      if self[index].node == node { return index }
    }
    return nil
  }
}
