// SPDX-License-Identifier: MIT

/// The owner of a set of nodes and observers: closing it drops every closure they hold.
///
/// Everything that is made while the graph is entered belongs to it: `let login = graph.enter { LoginViewModel() }`.
/// The graph does not keep its members alive; it makes sure that closures which capture each other strongly
/// cannot either (S0-12, S0-D6). An object that is made outside every graph lives and dies by reference counting alone.
///
/// A graph is not `Sendable`: it and all that belongs to it are used by one thread at a time.
public final class Graph {
  var membership = Membership()

  /// Whether `close()` was called. A closed graph's values can still be read and written; nobody who
  /// was subscribed is told.
  public private(set) var isClosed = false

  /// The record of the graph's changes: see ``startTracing(capacity:)``.
  public internal(set) var trace: Trace?

  /// The actor that the graph is used by: where a ``Command`` runs which code outside every actor executes, such as an
  /// observer's handler.
  public weak var isolation: (any Actor)? {
    didSet {
      guard let isolation else { return }
      awaitsIsolation = false
      let waiting = whenIsolated
      whenIsolated = []
      for begin in waiting { begin(isolation) }
    }
  }

  /// Whether the actor is about to be known: a hosted view model is made before it lives in its session. Commands that are
  /// executed meanwhile start then.
  package var awaitsIsolation = false

  private var madeAttachments: Attachments?

  /// Closures that wait for the actor to be known: it is not yet while a hosted view model is made.
  var whenIsolated: [(any Actor) -> Void] = []

  /// The object that is told of the runs of the graph's commands.
  public weak var runWatcher: (any CommandRunWatcher)?

  /// A graph without members, used by the actor `isolation` if it is one, which it does not keep alive.
  public init(isolation: (any Actor)? = nil) { self.isolation = isolation }

  deinit {
    close()
    for member in membership.members { member.leaveGraph() }
    membership.deallocate()
  }

  /// The number of living nodes and observers.
  public var memberCount: Int { membership.count }

  /// Runs `body` with this graph as the owner of the nodes that it makes.
  public func enter<Result>(_ body: () throws -> Result) rethrows -> Result {
    try withPropagation { try $0.within(self, body) }
  }

  /// Objects of owners that have no place for them. Most graphs have none.
  package var attachments: Attachments {
    if let madeAttachments { return madeAttachments }
    let made = Attachments()
    madeAttachments = made
    return made
  }

  /// The graph that is entered.
  package static var entered: Graph? { withPropagation { $0.enteredGraph?.takeUnretainedValue() } }

  /// Drops every closure, subscription and link of every member. O(members); closing twice is harmless.
  public func close() {
    isClosed = true
    whenIsolated = []
    defer { madeAttachments?.removeAll() }
    trace?.transactionDidEnd = nil
    // A member may go while another is torn down, hence the list that keeps all.
    let living = membership.members
    for member in living { member.tearDown() }
  }

  /// The members that are nodes, in the order of their making where none has gone.
  var nodes: [Node] { membership.members.compactMap { $0 as? Node } }
}
