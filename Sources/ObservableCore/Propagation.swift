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
  /// Set when a node ran too often: such a transaction has no state to settle on, so it stops and is undone.
  @exclusivity(unchecked) private var isUnsettled = false

  /// What the transaction has to do, and has touched. Empty while idle.
  struct Work {
    /// Every node that was written, with the version it had before.
    var touched: [(node: Node, version: UInt64)] = []
    /// Written in the body, not yet compared.
    var undecided: [Node] = []
    var pending: [Node] = []
    var pendingHead = 0
    var deliveries: [Node] = []
    var deliveryHead = 0
    /// Nodes that had a turn, to have their count reset.
    var counted: [Node] = []
    var errors: [any Error] = []
    /// Subscriptions that were made, to be ended if the transaction is undone.
    var joined: [any Disposable] = []

    /// Lets go of everything but the memory.
    mutating func removeAll() {
      touched.removeAll(keepingCapacity: true)
      undecided.removeAll(keepingCapacity: true)
      pending.removeAll(keepingCapacity: true)
      pendingHead = 0
      deliveries.removeAll(keepingCapacity: true)
      deliveryHead = 0
      counted.removeAll(keepingCapacity: true)
      errors.removeAll()
      joined.removeAll(keepingCapacity: true)
    }
  }

  @exclusivity(unchecked) private var work = Work()
  /// The pending nodes that are settled, on their way out.
  @exclusivity(unchecked) private var settled: [Node] = []

  /// Inputs of nodes that have gone or were closed, to be let go of.
  @exclusivity(unchecked) var leaving: [Node] = []
  @exclusivity(unchecked) private var isLettingGo = false

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
    let errors = work.errors
    if isAborted { undoAll() } else { commitAll() }
    switch errors.count {
    case 0: return result
    case 1: throw errors[0]
    default: throw ObservableError.several(errors)
    }
  }

  /// Whether an error stops the rest of the transaction.
  var isAborted: Bool { isUnsettled || policy == .undo && !work.errors.isEmpty }

  /// Runs user code; its error is kept for the caller of the transaction.
  func guarding(_ body: () throws -> Void) {
    do { try body() } catch { work.errors.append(error) }
  }

  /// Counts a turn of the node: a run of its handler, or a round of telling its observers.
  ///
  /// - Throws: `unsettled` when it has had too many.
  func count(_ node: Node) throws {
    if node.turns == 0 { work.counted.append(node) }
    node.turns += 1
    guard node.turns > Self.maxRounds else { return }
    isUnsettled = true
    let cycle = work.counted.filter { $0.turns > Self.maxRounds / 2 }
    throw ObservableError.unsettled(cycle.map(\.origin.description), rounds: Self.maxRounds)
  }

  // MARK: Settling

  private func settle() {
    var index = 0
    while index < work.undecided.count {
      decide(work.undecided[index])
      index += 1
    }
    work.undecided.removeAll(keepingCapacity: true)
    settleCombiners()
    while work.deliveryHead < work.deliveries.count, !isAborted {
      let node = work.deliveries[work.deliveryHead]
      work.deliveryHead += 1
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
    if node.hasChanged() || node.wasDecidedEarly { changed(node) }
  }

  /// A change that is certain: who depends on the node may have to run, who observes it will be told.
  func changed(_ node: Node) {
    node.version += 1
    if !node.isAwaitingDelivery {
      node.isAwaitingDelivery = true
      work.deliveries.append(node)
    }
    var marking = [node]
    while let source = marking.popLast() {
      for dependent in source.dependents where !dependent.node.isPending {
        dependent.node.isPending = true
        work.pending.append(dependent.node)
        marking.append(dependent.node)
      }
    }
  }

  func settleCombiners() {
    while !work.pending.isEmpty, !isAborted {
      while work.pendingHead < work.pending.count, !isAborted {
        let node = work.pending[work.pendingHead]
        work.pendingHead += 1
        if node.isPending { pull(node) }
      }
      if isAborted { return }
      work.pendingHead = 0
      // A node that goes may run a deinit of user code, which writes: it finds an empty queue to append to.
      swap(&work.pending, &settled)
      settled.removeAll(keepingCapacity: true)
    }
  }

  /// Runs the node after the work.pending ones among its inputs, and theirs; without recursion, so that a long chain is safe.
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

  private func commitAll() { end { $0.node.commit() } }

  private func undoAll() {
    let joined = work.joined
    end { entry in
      entry.node.version = entry.version
      entry.node.undo()
    }
    for subscription in joined { subscription.dispose() }
  }

  /// Whatever is let go of here may run a deinit of user code, so that comes last, on an idle thread.
  private func end(_ body: ((node: Node, version: UInt64)) -> Void) {
    var spent = Work()
    swap(&spent, &work)
    for node in spent.pending { node.isPending = false }
    for node in spent.deliveries { node.isAwaitingDelivery = false }
    for node in spent.undecided { node.isUndecided = false }
    for node in spent.counted { node.turns = 0 }
    isUnsettled = false
    phase = .idle
    for entry in spent.touched { body(entry) }
    for entry in spent.touched { entry.node.forgetBefore() }
    spent.removeAll()
    // The next transaction has this one's memory, unless such a deinit has begun one.
    if phase == .idle { swap(&spent, &work) }
  }

  /// Lets go of the leaving nodes, one after the other: a long chain would otherwise end one within the other, and
  /// overflow the stack.
  func letGo() {
    guard !isLettingGo else { return }
    isLettingGo = true
    while leaving.popLast() != nil {}
    isLettingGo = false
  }

  /// Remembers a node that is about to be written for the first time.
  func touch(_ node: Node) { work.touched.append((node, node.version)) }

  /// Remembers a subscription, to be ended if the transaction is undone.
  func join(_ subscription: any Disposable) {
    if phase != .idle { work.joined.append(subscription) }
  }

  /// Remembers a node whose write is to be compared when the body is over.
  func postpone(_ node: Node) { work.undecided.append(node) }
}

extension Node {
  fileprivate var needsPull: Bool { isPending && !isInProgress }
}
