// SPDX-License-Identifier: MIT

/// The owner of a set of nodes and observers: closing it drops every closure they hold.
///
/// All nodes and observers that are made while the graph is entered belong to it: `let login = graph.enter {
/// LoginViewModel() }`. The graph does not keep its members alive. It makes sure that closures which capture
/// each other strongly cannot keep them alive either. An object that is made outside every graph lives by
/// reference counting alone.
///
/// A graph is not `Sendable`: one thread at a time uses it and its members (S0-12, S0-D6).
public final class Graph {
  var membership = Membership()

  /// Whether `close()` was called. The values of a closed graph can still be read and written; no earlier
  /// subscriber is told.
  public private(set) var isClosed = false

  /// The record of the graph's changes (``startTracing(capacity:)``).
  public internal(set) var trace: Trace?

  /// The actor that uses the graph. A ``Command`` runs there if code outside every actor executes it, such as
  /// an observer's handler.
  public weak var isolation: (any Actor)? {
    didSet {
      guard let isolation else { return }
      awaitsIsolation = false
      let waiting = whenIsolated
      whenIsolated = []
      for begin in waiting { begin(isolation) }
    }
  }

  /// Whether the actor will be known soon: a hosted view model is made before it lives in its session. Commands
  /// that are executed meanwhile start then.
  package var awaitsIsolation = false

  private var madeAttachments: Attachments?

  /// Closures that wait for the actor to be known, which it is not while a hosted view model is made.
  var whenIsolated: [(any Actor) -> Void] = []

  /// The object that is told of the runs of the graph's commands.
  public weak var runWatcher: (any CommandRunWatcher)?

  /// The host of the graph's view model. The graph keeps it alive, since errors may come until its very end.
  package var host: (any GraphHost)? {
    didSet {
      let untold = untold
      self.untold = []
      for (error, place) in untold { host?.take(error, of: place) }
    }
  }

  /// The errors that came before the host was known.
  private var untold: [(error: any Error, place: String)] = []

  /// Makes a graph without members. `isolation` is the actor that uses it, which it does not keep alive.
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

  /// Takes an error that reaches no caller, if the graph has a host, or will have one.
  func take(_ error: any Error, of place: String) -> Bool {
    if let host {
      host.take(error, of: place)
    } else if awaitsIsolation {
      untold.append((error, place))
    } else {
      return false
    }
    return true
  }

  /// Values of objects that have no property for them. Most graphs have none.
  package var attachments: Attachments {
    if let madeAttachments { return madeAttachments }
    let made = Attachments()
    madeAttachments = made
    return made
  }

  /// The bytes of the texts that no client reads. O(these texts).
  package var secretBytes: Int { membership.secretBytes }

  /// The graph that is entered.
  package static var entered: Graph? { withPropagation { $0.enteredGraph?.takeUnretainedValue() } }

  /// Drops every closure, subscription and link of every member. Closing twice is harmless. O(members).
  public func close() {
    isClosed = true
    whenIsolated = []
    defer { madeAttachments?.removeAll() }
    trace?.transactionDidEnd = nil
    // A member may end while another is torn down; this list keeps all alive.
    let living = membership.members
    for member in living { member.tearDown() }
  }

  /// The members that are nodes. They are in the order of their making, if none has gone.
  var nodes: [Node] { membership.members.compactMap { $0 as? Node } }
}

/// Hands an error that reaches no caller to the host of a graph, by default of the entered one. In a session it is
/// logged, and the program goes on, since it serves other sessions too.
///
/// - Parameter place: the code that threw, for the log.
/// - Returns: whether there is a host. Elsewhere such an error is a mistake, for which the caller ends the program.
package func hostTakes(
  _ error: any Error, of place: @autoclosure () -> String, in graph: Graph? = Graph.entered
) -> Bool {
  graph?.take(error, of: place()) ?? false
}

/// The owner of a graph in a program that serves others too, such as a session. It takes the errors that reach no
/// caller, and gives the sequences that are followed their time.
package protocol GraphHost: AnyObject {
  /// Takes an error of code that runs by itself.
  ///
  /// - Parameter place: the code, such as `following votes (Poll/Poll.swift:12)`.
  func take(_ error: any Error, of place: String)

  /// Says whether an element of a followed sequence may act now.
  ///
  /// - Parameters:
  ///   - place: the sequence, as in ``take(_:of:)``.
  ///   - goOn: called when there is time, if there is none now.
  func admit(_ place: String, orLater goOn: @escaping () -> Void) -> Bool
}
