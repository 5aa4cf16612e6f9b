// SPDX-License-Identifier: MIT

extension Propagation {
  /// A write in a transaction's body, which is stored already: whether it is a change is decided by the last one.
  @usableFromInline
  func didWriteInBody(_ node: NodePointer) {
    node.pointee.flags.insert(.hasBefore)
    touch(node)
    if node.has(.traced) { traceWrite(node) }
    postpone(node, versionBefore: node.pointee.version)
    bump(node)
    mark(node)
  }

  /// A write in a transaction's body of a value that is equal to the one which the transaction found: that is put back, and
  /// no formula has to run but those that saw another. Answers whether it was put back: not if somebody who joined in the
  /// body has another, nor if many others were written since; then it is decided at the end, as any write. O(1).
  @usableFromInline
  func takeBackInBody(_ node: NodePointer) -> Bool {
    guard node.has(.undecided), !node.has(.decidedEarly) else { return false }
    guard let index = undecided.lastIndex(of: node), let touchedIndex = touched.lastIndex(of: node) else {
      return false
    }
    if node.has(.traced) { traceWrite(node) }
    takeBack(node, to: undecided[index].version)
    // It keeps its place: a later write is told in the order of the first.
    undecided[index].version = node.pointee.version
    // A formula that has seen this version need not run if all is undone.
    touched[touchedIndex].version = node.pointee.version
    putBack(node)
    return true
  }

  /// A write while the graph settles, which is at once a change.
  @usableFromInline
  func didWriteWhileSettling(_ node: NodePointer) {
    node.pointee.flags.insert(.hasBefore)
    touch(node)
    hasWrittenSinceTold = true
    // The value that a combiner's handler gives is recorded with its run.
    if node.has(.traced), runner != node { traceWrite(node) }
    changed(node)
  }
}

extension PointerList<(node: NodePointer?, version: UInt32)> {
  /// The place of a node that is in the list once; only the last 64 are looked at.
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
