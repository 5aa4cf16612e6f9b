// SPDX-License-Identifier: MIT
import Glibc
import ObservableCore

/// The servers of a supervisor, and the way in which one follows another: a state machine without processes and
/// without a clock (Decisions/0056).
///
/// Each event is a function. It changes the state, and gives the actions that the supervisor has to do then. An
/// event that cannot happen in a state, such as the end of a server where there is none, stops the program.
///
///     vacant ⇄ occupied → leaving → succeeding → occupied
///
/// A server that is told to make place leaves for a successor that is prepared. If a server ends by itself, the
/// place is vacant until one is started again. If a successor ends, the program before it is started again.
enum Succession<Server> {
  typealias Instant = ContinuousClock.Instant

  /// There is no server, and one is started at that time. A successor may be reading its settings: if it is
  /// prepared before that time, it serves.
  case vacant(until: Instant, successor: Server?)
  /// A server starts or serves. A successor may be reading its settings.
  case occupied(Server, successor: Server?)
  /// The server was told to end, and its successor is prepared. At that time the server is killed; `nil` if it
  /// was killed.
  case leaving(Server, for: Server, by: Instant?)
  /// The server leaves, and its successor has ended: the program before it is started again. Another successor
  /// may be reading its settings.
  case forsaken(Server, successor: Server?, by: Instant?)
  /// A successor has its turn, and does not serve yet. If it ends, the program before it is started again.
  case succeeding(Server)
  /// The supervisor was told to end, and waits for the server's end.
  case stopping(Server)
  /// All is over, and the supervisor exits with this status.
  case ended(status: Int32)

  enum Action {
    /// Start a server.
    case start
    /// Start the program that is at its path now as a successor, which waits for its turn.
    case startSuccessor
    case signal(Server, Int32)
    /// Kill a server that did not end in time.
    case endOverdue(Server)
    /// Kill a successor that is no longer wanted.
    case dismiss(Server)
    /// Tell a successor that its turn has come.
    case giveTurn(Server)
    /// Start this server's program from now on.
    case keepProgram(Server)
    /// Report that a successor has ended before it served.
    case notReplaced(Server, RestartPolicy.Ending)
  }

  // MARK: Asking

  /// The server in the place; `nil` if there is none.
  var server: Server? {
    switch self {
    case .vacant, .ended: nil
    case .occupied(let server, _), .leaving(let server, _, _), .forsaken(let server, _, _): server
    case .succeeding(let server), .stopping(let server): server
    }
  }

  /// The process that waits for its turn, or reads its settings; `nil` if there is none.
  var successor: Server? {
    switch self {
    case .vacant(_, let successor), .occupied(_, let successor), .forsaken(_, let successor, _): successor
    case .leaving(_, let successor, _): successor
    case .succeeding, .stopping, .ended: nil
    }
  }

  /// The time at which ``reach(_:)`` has something to do; `nil` for none.
  var due: Instant? {
    switch self {
    case .vacant(let time, _): time
    case .leaving(_, _, let time), .forsaken(_, _, let time): time
    case .occupied, .succeeding, .stopping, .ended: nil
    }
  }

  var isStopping: Bool { if case .stopping = self { true } else { false } }

  /// Whether the server was told to end.
  var isEnding: Bool {
    switch self {
    case .leaving, .forsaken, .stopping: true
    case .vacant, .occupied, .succeeding, .ended: false
    }
  }

  // MARK: Time and signals

  mutating func reach(_ now: Instant) -> [Action] {
    guard let due, due <= now else { return [] }
    switch self {
    case .vacant: return [.start]
    case .leaving(let server, let successor, _):
      self = .leaving(server, for: successor, by: nil)
      return [.endOverdue(server)]
    case .forsaken(let server, let successor, _):
      self = .forsaken(server, successor: successor, by: nil)
      return [.endOverdue(server)]
    case .occupied, .succeeding, .stopping, .ended: return []
    }
  }

  /// Another program is to take the place.
  func askForSuccessor() -> [Action] {
    switch self {
    // A successor that is not prepared may never be. Its end is reported, and the next signal starts another
    // one.
    case .vacant(_, let successor?), .occupied(_, let successor?), .forsaken(_, let successor?, _):
      [.signal(successor, SIGKILL)]
    case .vacant, .occupied, .forsaken: [.startSuccessor]
    case .leaving, .succeeding, .stopping, .ended: []
    }
  }

  /// A signal tells the supervisor to end.
  mutating func stop(by signal: Int32) -> [Action] {
    let dismissed = successor.map { [Action.dismiss($0)] } ?? []
    switch self {
    // There is no server to tell.
    case .vacant: self = .ended(status: 0)
    case .occupied(let server, _), .succeeding(let server), .stopping(let server):
      self = .stopping(server)
      return dismissed + [.signal(server, signal)]
    case .leaving(let server, _, _), .forsaken(let server, _, _):
      self = .stopping(server)
      // It is ending already: a second signal would end it at once.
      return dismissed + (signal == SIGTERM || signal == SIGINT ? [] : [.signal(server, signal)])
    case .ended: break
    }
    return dismissed
  }

  // MARK: A server

  mutating func started(_ server: Server) {
    guard case .vacant(_, let successor) = self else { stopProgram(bug: "a server is started beside \(self)") }
    self = .occupied(server, successor: successor)
  }

  mutating func startFailed(at now: Instant, _ decision: RestartPolicy.Decision) {
    guard case .vacant(_, let successor) = self else { stopProgram(bug: "a start fails beside \(self)") }
    follow(decision, at: now, successor: successor)
  }

  /// The server says that it serves.
  mutating func serves() -> [Action] {
    guard case .succeeding(let server) = self else { return [] }
    self = .occupied(server, successor: nil)
    return [.keepProgram(server)]
  }

  /// - Parameter decide: gives the decision where no other program is involved.
  mutating func serverEnded(
    _ ending: RestartPolicy.Ending, at now: Instant, _ decide: () -> RestartPolicy.Decision
  ) -> [Action] {
    switch self {
    case .occupied(_, let successor): follow(decide(), at: now, successor: successor)
    case .leaving(_, let successor, _):
      self = .succeeding(successor)
      return [.giveTurn(successor)]
    case .forsaken(_, let successor, _): self = .vacant(until: now, successor: successor)
    case .succeeding(let server):
      // The program before it was able to serve.
      self = .vacant(until: now, successor: nil)
      return [.notReplaced(server, ending)]
    case .stopping: follow(decide(), at: now, successor: nil)
    case .vacant, .ended: stopProgram(bug: "a server has ended, and there was none: \(self)")
    }
    return []
  }

  private mutating func follow(_ decision: RestartPolicy.Decision, at now: Instant, successor: Server?) {
    switch decision {
    case .restart(let wait): self = .vacant(until: now + wait, successor: successor)
    case .end(let status): self = .ended(status: status)
    }
  }

  // MARK: A successor

  mutating func successorStarted(_ started: Server) {
    if let successor { stopProgram(bug: "a successor is started beside \(successor): \(self)") }
    change(successor: started)
  }

  /// The successor says that it can serve.
  ///
  /// - Parameter deadline: the time by which the server has to make place.
  mutating func successorPrepared(deadline: Instant) -> [Action] {
    switch self {
    case .vacant(_, let successor?):
      self = .succeeding(successor)
      return [.giveTurn(successor)]
    case .occupied(let server, let successor?):
      self = .leaving(server, for: successor, by: deadline)
      return [.signal(server, SIGTERM)]
    case .forsaken(let server, let successor?, let time): self = .leaving(server, for: successor, by: time)
    case .leaving: break
    case .vacant, .occupied, .forsaken, .succeeding, .stopping, .ended:
      stopProgram(bug: "a successor is prepared, and there is none: \(self)")
    }
    return []
  }

  mutating func successorEnded(_ ending: RestartPolicy.Ending) -> [Action] {
    guard let ended = successor else { stopProgram(bug: "a successor has ended, and there was none: \(self)") }
    change(successor: nil)
    return [.notReplaced(ended, ending)]
  }

  private mutating func change(successor: Server?) {
    switch self {
    case .vacant(let time, _): self = .vacant(until: time, successor: successor)
    case .occupied(let server, _): self = .occupied(server, successor: successor)
    case .leaving(let server, _, let time), .forsaken(let server, _, let time):
      self = .forsaken(server, successor: successor, by: time)
    case .succeeding, .stopping, .ended: stopProgram(bug: "there is no successor to change: \(self)")
    }
  }
}

extension Succession: Equatable where Server: Equatable {}
extension Succession.Action: Equatable where Server: Equatable {}
