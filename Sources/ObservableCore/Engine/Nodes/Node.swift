// SPDX-License-Identifier: MIT

/// A node of the graph: every observable, computed and event is one, with a value of any type.
///
/// A node knows its dependents without keeping them alive, and keeps its inputs alive (S0-21).
///
/// One thread at a time uses a graph, and no closure of the user runs while a field is changing. So the fields
/// here and in the engine do without the runtime's exclusivity checks, which cost more than the work they
/// guard.
public class Node: GraphMember {
  // The fields are ordered by size: `NodePointer.offset` says where `stored` lies.
  private final let line: UInt32
  /// The tag of `ownWatcher`.
  @exclusivity(unchecked) final var ownTag: Int32 = 0
  @exclusivity(unchecked) private final var stored: NodeState
  private final var name: UnsafePointer<UInt8>
  private final let file: UnsafePointer<UInt8>
  @exclusivity(unchecked) @usableFromInline final var operate: Operate
  /// The watcher in the node's own place.
  @exclusivity(unchecked) final var ownWatcher: OwnWatcher?

  @usableFromInline
  init(
    _ name: StaticString, _ file: StaticString, _ line: UInt, _ flags: NodeFlags, _ operate: @escaping Operate
  ) {
    self.name = name.utf8Start
    self.file = file.utf8Start
    self.line = UInt32(truncatingIfNeeded: line)
    self.operate = operate
    stored = NodeState(flags)
    super.init()
    if graph?.trace != nil { stored.flags.insert(.traced) }
    assert(withUnsafeMutablePointer(to: &stored) { $0 == state }, "NodePointer.offset is wrong")
  }

  deinit {
    // It leaves before user code can run, which might close the graph.
    leaveGraph()
    withPropagation { propagation in
      giveUpOwnWatcher(propagation)
      propagation.detach(state) { operate = Self.inert }
    }
  }

  /// The node's name, and where it was made.
  public final var origin: Origin {
    Origin(name: String(cString: name), file: String(cString: file), line: Int(line))
  }

  /// Gives the node a name, if it has none.
  package final func call(_ name: NodeName) {
    if self.name.pointee == 0 { self.name = name.text }
  }

  /// Whether a ``Trace`` or a ``Topology`` must hide the node's values.
  public final var isSecret: Bool {
    get { has(.secret) }
    set { set(.secret, to: newValue) }
  }

  @inlinable @inline(__always)
  final var state: NodePointer {
    (Unmanaged.passUnretained(self).toOpaque() + NodePointer.offset).assumingMemoryBound(to: NodeState.self)
  }

  /// Whether its value is made of other nodes' values. None of these nodes keeps it alive.
  final var isDerived: Bool { !state.pointee.flags.isDisjoint(with: [.computed, .combiner]) }

  /// Runs an operation that runs no user code that can throw.
  @inline(__always)
  final func perform(_ operation: Operation) -> Bool {
    do { return try operate(self, operation, nil) } catch { preconditionFailure("\(operation) threw: \(error)") }
  }

  /// The operation of a node that has been torn down. Some kinds of node still do more; see their `tearDown`.
  static var inert: Operate { { _, _, _ in false } }

  /// Keeps an object alive for as long as the node has its operation, which is until the node goes or its graph
  /// is closed.
  final func keep(_ object: AnyObject) {
    let plain = operate
    operate = { node, operation, entry in
      try withExtendedLifetime(object) { try plain(node, operation, entry) }
    }
  }

  override func tearDown() {
    withPropagation { propagation in
      giveUpOwnWatcher(propagation)
      propagation.detach(state) { operate = Self.inert }
    }
  }

  /// The present value in words, and the one from before; `nil` where there is none.
  final func describe() -> String? { isSecret ? "<secret>" : words() }
  final func describeBefore() -> String? { isSecret ? nil : wordsBefore() }
  func words() -> String? { nil }
  func wordsBefore() -> String? { nil }

  /// Throws the error that a computed holds.
  func throwFailure() throws {}

  /// The owner of its formula; `nil` if that has none. It is emptied when the owner has gone.
  var formulaOwner: FormulaOwner? { nil }

  /// Stores an error in place of a computed's value. Answers whether that is a change.
  func failFormula(_ error: any Error, _ keeping: Keeping) -> Bool { false }

  /// Whether an event's present pulse was sent after the entry joined, and has not been told to it.
  func isDue(_ entry: SubscriberPlacePointer) -> Bool { false }
}
