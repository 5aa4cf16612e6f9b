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
