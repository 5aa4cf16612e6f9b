// SPDX-License-Identifier: MIT
import ObservableCore

/// The plain twin of the observable core. It gives the same answers, and looks at everything again each time.
///
/// It has no marks, no versions to compare and no links to dependent nodes. After the body of a transaction it decides
/// which writes were changes. Then it brings all nodes up to date, their inputs first, until there is nothing left to
/// run. Then it tells the listeners of one changed node, brings all up to date again, and so on.
final class PlainSystem {
  enum Phase { case idle, collecting, settling }

  static let maxTurns = 100

  private(set) var phase = Phase.idle
  private var policy = FailurePolicy.finish
  private var errors: [any Error] = []
  private var isUnsettled = false
  private var nodes: [PlainWeakNode] = []
  /// Closures that put the nodes back to their values before the transaction.
  private var restorers: [() -> Void] = []
  private var joinedSubscriptions: [any Disposable] = []
  /// The writes and pulses of the body, in this order.
  var undecided: [PlainNode] = []
  /// The news that listeners have to be told, in this order.
  private var queue: [PlainNode] = []
  /// Whether a source or a combiner has changed since all nodes were brought up to date.
  var hasNews = false
  var readers: [PlainReader] = []
  /// The computeds that are being brought up to date, the innermost last.
  var refreshing: [PlainNode] = []
  /// The number of pulses that led to the present one, each sent by a listener of the one before.
  var pulseDepth = 0
  var enteredScope: PlainScope?

  /// The nodes that are alive, in the order of their making.
  var living: [PlainNode] { nodes.compactMap { $0.node } }

  var isAborted: Bool { isUnsettled || policy == .undo && !errors.isEmpty }

  func join(_ node: PlainNode) {
    nodes.append(PlainWeakNode(node: node))
    if phase != .idle { restorers.append(node.remember()) }
  }

  func transaction<Result>(_ policy: FailurePolicy, _ body: () throws -> Result) throws -> Result {
    guard phase == .idle else { return try body() }
    begin(policy)
    let result: Result
    do { result = try unread(body) } catch {
      end(undoing: true)
      throw error
    }
    phase = .settling
    settleAll()
    let errors = errors
    end(undoing: isAborted)
    switch errors.count {
    case 0: return result
    case 1: throw errors[0]
    default: throw ObservableError.several(errors)
    }
  }

  private func begin(_ policy: FailurePolicy) {
    phase = .collecting
    self.policy = policy
    nodes.removeAll { $0.node == nil }
    restorers = living.map { $0.remember() }
  }

  private func settleAll() {
    while !undecided.isEmpty { undecided.removeFirst().decide() }
    settle()
    while !queue.isEmpty, !isAborted {
      let node = queue.removeFirst()
      node.isQueued = false
      guarding {
        try count(node)
        unread(node.tell)
      }
      settle()
    }
  }

  /// Brings every node up to date, until doing so changes none.
  func settle() {
    while hasNews, !isAborted {
      hasNews = false
      var visited: Set<ObjectIdentifier> = []
      for node in living { node.bringUp(&visited) }
    }
  }

  private func end(undoing: Bool) {
    phase = .idle
    let ended = joinedSubscriptions
    let restorers = restorers
    joinedSubscriptions = []
    self.restorers = []
    undecided = []
    queue = []
    errors = []
    isUnsettled = false
    hasNews = false
    let living = living
    for node in living {
      node.isQueued = false
      node.turns = 0
      if !undoing { node.commit() }
    }
    if undoing {
      for restore in restorers { restore() }
      for subscription in ended { subscription.dispose() }
    }
    for node in living { node.forget() }
  }

  // MARK: Requests of nodes

  func enqueue(_ node: PlainNode) {
    if node.isQueued { return }
    node.isQueued = true
    queue.append(node)
  }

  func joined(_ subscription: any Disposable) {
    if phase != .idle { joinedSubscriptions.append(subscription) }
  }

  /// Runs user code. The caller of the transaction gets its error.
  func guarding(_ body: () throws -> Void) {
    do { try body() } catch { errors.append(error) }
  }

  func count(_ node: PlainNode) throws {
    node.turns += 1
    guard node.turns > Self.maxTurns else { return }
    throw unsettled(living.filter { $0.turns > Self.maxTurns / 2 })
  }

  func unsettled(_ nodes: [PlainNode]) -> ObservableError {
    isUnsettled = true
    return .unsettled(nodes.map(\.name), rounds: Self.maxTurns)
  }
}
