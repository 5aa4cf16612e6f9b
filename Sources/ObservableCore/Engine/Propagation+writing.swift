// SPDX-License-Identifier: MIT
import CRuntime

extension Propagation {
  /// Where a write stands.
  @usableFromInline
  enum Writing {
    /// Outside every transaction: it is one of its own.
    case alone
    /// In a transaction's body: whether it is a change is decided by the last write.
    case inBody
    /// While the graph settles: at once a change, or none.
    case settling
  }

  /// - Throws: `writeInFormula`.
  @usableFromInline
  static func willWrite(_ node: NodePointer) throws -> Writing {
    try withPropagation { propagation in
      if propagation.mustNotWrite { throw ObservableError.writeInFormula(node.name) }
      switch propagation.phase {
      case .idle: return .alone
      case .collecting: return .inBody
      case .settling, .restoring: return .settling
      }
    }
  }

  @usableFromInline
  static func didWriteAlone(_ node: NodePointer) throws {
    try withPropagation { try $0.settleWrite(node) }
  }

  /// Whether this write is the transaction's first to the node, whose value is to be kept as the one from before.
  @usableFromInline
  static func mustKeep(_ node: NodePointer) -> Bool {
    if node.has(.hasBefore) { return false }
    node.pointee.flags.insert(.hasBefore)
    return true
  }

  @usableFromInline
  static func didWriteInBody(_ node: NodePointer) {
    withPropagation { propagation in
      propagation.touch(node)
      if node.has(.traced) { propagation.traceWrite(node) }
      propagation.postpone(node, versionBefore: node.pointee.version)
      propagation.bump(node)
      propagation.mark(node)
    }
  }

  @usableFromInline
  static func didWriteWhileSettling(_ node: NodePointer) {
    withPropagation { propagation in
      node.pointee.flags.insert(.hasBefore)
      propagation.touch(node)
      // What a combiner's handler gives is recorded with its run.
      if node.has(.traced), propagation.runner != node { propagation.traceWrite(node) }
      propagation.changed(node)
    }
  }
}
