// SPDX-License-Identifier: MIT
import Glibc

/// The transaction of one thread: what was written, what has to run, and who has to be told.
///
/// A transaction is synchronous, so it belongs to the thread that runs it and nodes need not know it. Its phases:
/// - `idle`: no transaction; everything below is empty.
/// - `collecting`: a body runs; writes are stored, whether they are changes is undecided. No handler runs.
/// - `settling`: writes are changes at once. Combiners run until none is pending, then one observer is told, and so on.
final class Propagation {
  enum Phase { case idle, collecting, settling }

  /// A node may run this often in one transaction before it is taken to be in a cycle that does not settle.
  static let maxRounds = 100

  @exclusivity(unchecked) private(set) var phase = Phase.idle
  @exclusivity(unchecked) private var policy = FailurePolicy.finish
  @exclusivity(unchecked) private var errors: [any Error] = []
  /// Set when a node ran too often: such a transaction has no state to settle on, so it stops and is undone.
  @exclusivity(unchecked) private var isUnsettled = false

  /// Every node that was written, with the version it had before. Emptied when the transaction is over.
  @exclusivity(unchecked) var touched: [(node: Node, version: UInt64)] = []
  /// Written in the body, not yet compared.
  @exclusivity(unchecked) var undecided: [Node] = []
  @exclusivity(unchecked) private var pending: [Node] = []
  @exclusivity(unchecked) private var pendingHead = 0
  @exclusivity(unchecked) private var deliveries: [Node] = []
  @exclusivity(unchecked) private var deliveryHead = 0
  /// Nodes that ran, to have their count reset.
  @exclusivity(unchecked) private var counted: [Node] = []

  /// Who owns what is made now.
  @exclusivity(unchecked) var enteredGraph: Graph?

  /// The running thread's.
  static var current: Propagation {
    if let pointer = pthread_getspecific(threadKey) {
      return Unmanaged<Propagation>.fromOpaque(pointer).takeUnretainedValue()
    }
    let propagation = Propagation()
    pthread_setspecific(threadKey, Unmanaged.passRetained(propagation).toOpaque())
    return propagation
  }

  private static let threadKey: pthread_key_t = {
    var key = pthread_key_t()
    let status = pthread_key_create(&key) { pointer in
      if let pointer { Unmanaged<Propagation>.fromOpaque(pointer).release() }
    }
    precondition(status == 0, "pthread_key_create failed with \(status): the process has no thread key left")
    return key
  }()

  func run<Result>(_ policy: FailurePolicy, _ body: () throws -> Result) throws -> Result {
    guard phase == .idle else { return try body() }
    phase = .collecting
    self.policy = policy
    let result: Result
    do { result = try body() } catch {
      undoAll()
      throw error
    }
    phase = .settling
    settle()
    let errors = errors
    if isAborted { undoAll() } else { commitAll() }
    switch errors.count {
    case 0: return result
    case 1: throw errors[0]
    default: throw ObservableError.several(errors)
    }
  }

  /// Whether an error stops the rest of the transaction.
  var isAborted: Bool { isUnsettled || policy == .undo && !errors.isEmpty }

  /// Runs user code; its error is kept for the caller of the transaction.
  func guarding(_ body: () throws -> Void) {
    do { try body() } catch { errors.append(error) }
  }

  /// Counts a turn of the node: a run of its handler, or a round of telling its observers.
  ///
  /// - Throws: `unsettled` when it has had too many.
  func count(_ node: Node) throws {
    if node.turns == 0 { counted.append(node) }
    node.turns += 1
    guard node.turns > Self.maxRounds else { return }
    isUnsettled = true
    let cycle = counted.filter { $0.turns > Self.maxRounds / 2 }
    throw ObservableError.unsettled(cycle.map(\.origin.description), rounds: Self.maxRounds)
  }

  // MARK: Settling

  private func settle() {
    var index = 0
    while index < undecided.count {
      decide(undecided[index])
      index += 1
    }
    undecided.removeAll(keepingCapacity: true)
    settleCombiners()
    while deliveryHead < deliveries.count, !isAborted {
      let node = deliveries[deliveryHead]
      deliveryHead += 1
      node.isAwaitingDelivery = false
      guarding {
        try count(node)
        node.deliver(in: self)
      }
    }
  }

  func decide(_ node: Node) {
    guard node.isUndecided else { return }
    node.isUndecided = false
    if node.hasChanged() { changed(node) }
  }

  /// A change that is certain: who depends on the node may have to run, who observes it will be told.
  func changed(_ node: Node) {
    node.version += 1
    if !node.isAwaitingDelivery {
      node.isAwaitingDelivery = true
      deliveries.append(node)
    }
    var marking = [node]
    while let source = marking.popLast() {
      for dependent in source.dependents where !dependent.node.isPending {
        dependent.node.isPending = true
        pending.append(dependent.node)
        marking.append(dependent.node)
      }
    }
  }

  func settleCombiners() {
    while pendingHead < pending.count, !isAborted {
      let node = pending[pendingHead]
      pendingHead += 1
      if node.isPending { pull(node) }
    }
    if !isAborted {
      pending.removeAll(keepingCapacity: true)
      pendingHead = 0
    }
  }

  /// Runs the node after the pending ones among its inputs, and theirs; without recursion, so that a long chain is safe.
  private func pull(_ node: Node) {
    var path: [(node: Node, cursor: Int)] = [(node, 0)]
    node.isInProgress = true
    while let (top, start) = path.last {
      var cursor = start
      while cursor < top.inputs.count, !top.inputs[cursor].node.needsPull { cursor += 1 }
      if cursor < top.inputs.count {
        path[path.count - 1].cursor = cursor + 1
        let input = top.inputs[cursor].node
        input.isInProgress = true
        path.append((input, 0))
        continue
      }
      path.removeLast()
      top.isPending = false
      if !isAborted { guarding { try top.run(in: self) } }
      top.isInProgress = false
    }
  }

  // MARK: The end

  private func commitAll() {
    clearQueues()
    phase = .idle
    let committed = touched
    touched = []
    for entry in committed { entry.node.commit() }
  }

  private func undoAll() {
    clearQueues()
    phase = .idle
    // A value that goes may run a deinit of user code, which finds an idle thread.
    let undone = touched
    touched = []
    for (node, version) in undone {
      node.version = version
      node.undo()
    }
  }

  private func clearQueues() {
    for node in pending { node.isPending = false }
    pending.removeAll(keepingCapacity: true)
    pendingHead = 0
    for node in deliveries { node.isAwaitingDelivery = false }
    deliveries.removeAll(keepingCapacity: true)
    deliveryHead = 0
    for node in undecided { node.isUndecided = false }
    undecided.removeAll(keepingCapacity: true)
    for node in counted { node.turns = 0 }
    counted.removeAll(keepingCapacity: true)
    errors.removeAll(keepingCapacity: true)
    isUnsettled = false
  }
}

extension Node {
  fileprivate var needsPull: Bool { isPending && !isInProgress }
}
