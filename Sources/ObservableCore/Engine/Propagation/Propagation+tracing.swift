// SPDX-License-Identifier: MIT

extension Propagation {
  /// Records that a node was written. Its old value is the one from before the transaction.
  @inline(never)
  func traceWrite(_ node: NodePointer) {
    node.withTrace { node, trace in
      trace.add(
        node, .written, old: node.describeBefore(), new: node.describe(), cause: presentCause, in: self)
    }
  }

  /// Records that a node's observers are told next.
  @inline(never)
  func traceTelling(_ node: NodePointer) {
    node.withTrace { node, trace in
      trace.add(
        node, .told, old: nil, new: node.describe(), cause: .node(node.origin, ObjectIdentifier(node)), in: self)
    }
  }

  /// Runs a formula or a handler, and records the outcome.
  ///
  /// - Parameters:
  ///   - input: the node that caused the run.
  ///   - body: runs it. Answers whether its value is a change.
  @inline(never)
  func tracing(_ node: NodePointer, because input: NodePointer?, _ body: () throws -> Bool) rethrows -> Bool {
    let cause = input.map(Self.cause) ?? presentCause
    let old = node.object._withUnsafeGuaranteedRef { $0.describe() }
    let isChange = try body()
    node.withTrace { node, trace in
      let outcome: Trace.Record.Outcome =
        node.state.has(.failed) ? .failed : isChange ? .recomputed : .cut
      trace.add(node, outcome, old: old, new: node.describe(), cause: cause, in: self)
    }
    return isChange
  }

  /// The node or transaction that writes now.
  private var presentCause: Trace.Record.Cause {
    teller.map(Self.cause) ?? .transaction(name)
  }

  private static func cause(_ node: NodePointer) -> Trace.Record.Cause {
    node.object._withUnsafeGuaranteedRef { .node($0.origin, ObjectIdentifier($0)) }
  }

  /// The first input of a node that has changed since the node last ran.
  func firstChange(among node: NodePointer) -> NodePointer? {
    var link = node.pointee.inputs
    while let here = link, let input = here.pointee.entry.node {
      if input.pointee.version != here.pointee.entry.seen { return input }
      link = here.pointee.nextInput
    }
    return nil
  }
}

extension UnsafeMutablePointer<NodeState> {
  fileprivate func withTrace(_ body: (Node, Trace) -> Void) {
    object._withUnsafeGuaranteedRef { node in
      if let trace = node.graph?.trace { body(node, trace) }
    }
  }
}
