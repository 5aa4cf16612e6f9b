// SPDX-License-Identifier: MIT
import Locking

/// The response to a request that waits: given once, by any thread, at any time; or word that it is to be handled anew.
///
/// The connection is parked without a thread until `answer(_:)`. Made by a handler and returned by it in
/// `HTTPAnswer.later`; one reply belongs to one request.
public final class DeferredReply: Sendable {
  /// The reason why a wait ended without an answer.
  public enum Ending: Sendable {
    /// The deadline passed. The owner answers; until it does, the request waits on.
    case timedOut
    /// The client closed its side of the connection. No answer can reach it.
    case clientLeft
    /// The server stops. The owner answers; if it does not in time, the client gets the listener's response to a
    /// request that nobody answered.
    case stopping
  }

  /// The outcome for the request.
  enum Outcome {
    case response(HTTPResponse)
    case stream(HTTPResponse, HTTPStream)
    /// The handler is called once more.
    case asksAgain(isCounted: Bool)
  }

  private enum State {
    /// No handler has returned this reply yet.
    case unbound
    /// Answered before the handler returned; that is taken when it does.
    case early(Outcome)
    /// A parked request of this loop waits for the answer.
    case waiting(EventLoop, Connection)
    /// Answered, or there is nobody to answer.
    case over
  }

  private struct Guarded {
    var state: State
    /// Cleared when it is taken to be called, and when the reply is over: never called twice, keeps nothing alive.
    var ended: (@Sendable (DeferredReply, Ending) -> Void)?
  }

  let deadline: Duration?
  private let guarded: Locked<Guarded>

  /// - Parameters:
  ///   - deadline: How long the request may wait from the handler's return on; nil for as long as the client does.
  ///   - ended: Told once, on the loop's thread, that the wait ended without an answer. `answer(_:)` may be called
  ///     inside it, on the reply it is given. Not told if the reply was answered; an answer by another thread may still
  ///     come first while it is being told, and then the one given inside it is not taken.
  public init(
    deadline: Duration?, ended: @escaping @Sendable (DeferredReply, Ending) -> Void
  ) {
    self.deadline = deadline
    guarded = Locked(Guarded(state: .unbound, ended: ended))
  }

  /// Gives the response; the first one wins.
  /// - Returns: Whether this response was taken: false if there was one before, or the client has left.
  @discardableResult
  public func answer(_ response: HTTPResponse) -> Bool { end(with: .response(response)) }

  /// Gives a response whose body goes on, as `HTTPAnswer.stream` does.
  /// - Returns: As `answer(_:)`; the stream is to be finished by its owner if it was not taken.
  @discardableResult
  public func answer(_ head: HTTPResponse, _ stream: HTTPStream) -> Bool { end(with: .stream(head, stream)) }

  /// Has the handler called once more with the same request, as if it had come now: the thing that it waited for is
  /// there.
  ///
  /// - Parameter isCounted: Whether ``HTTPRequest/attempt`` counts that.
  /// - Returns: As `answer(_:)`.
  @discardableResult
  public func askAgain(isCounted: Bool = true) -> Bool { end(with: .asksAgain(isCounted: isCounted)) }

  private func end(with outcome: Outcome) -> Bool {
    let (taken, destination, spent) = guarded.withLock { guarded in
      let spent = guarded.ended
      switch guarded.state {
      case .unbound:
        guarded.state = .early(outcome)
        guarded.ended = nil
        return (true, nil as (loop: EventLoop, connection: Connection)?, spent)
      case .waiting(let loop, let connection):
        guarded.state = .over
        guarded.ended = nil
        return (true, (loop, connection), spent)
      case .early, .over:
        return (false, nil, spent)
      }
    }
    // Released here, not under the lock: objects that the closure keeps may run code as they go.
    withExtendedLifetime(spent) {}
    if let destination {
      destination.loop.post(.answer(destination.connection, self, outcome))
    }
    return taken
  }

  /// Ties the reply to the request whose handler returned it.
  /// - Returns: The outcome with which it was answered already; nil if the request has to wait.
  func bind(to loop: EventLoop, _ connection: Connection) -> Outcome? {
    guarded.withLock { guarded in
      switch guarded.state {
      case .unbound:
        guarded.state = .waiting(loop, connection)
        return nil
      case .early(let outcome):
        guarded.state = .over
        return outcome
      case .waiting, .over:
        preconditionFailure("a DeferredReply was returned for two requests: make one for each request")
      }
    }
  }

  /// Tells the owner that the wait ended, unless it was answered or told before. On the loop's thread.
  func end(_ ending: Ending) {
    let ended = guarded.withLock { guarded -> (@Sendable (DeferredReply, Ending) -> Void)? in
      switch guarded.state {
      case .unbound, .early, .over:
        return nil
      case .waiting:
        switch ending {
        case .timedOut, .stopping: break
        case .clientLeft: guarded.state = .over
        }
        let ended = guarded.ended
        guarded.ended = nil
        return ended
      }
    }
    ended?(self, ending)
  }

  /// Takes the right to answer away from the owner. On the loop's thread.
  /// - Returns: False if the owner has answered, and the answer is on its way.
  func close() -> Bool {
    let (open, spent) = guarded.withLock { guarded in
      let spent = guarded.ended
      guarded.ended = nil
      switch guarded.state {
      case .waiting, .unbound:
        guarded.state = .over
        return (true, spent)
      case .early, .over:
        return (false, spent)
      }
    }
    withExtendedLifetime(spent) {}
    return open
  }
}
