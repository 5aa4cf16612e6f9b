// SPDX-License-Identifier: MIT
import Locking

/// The response to a request that waits. Any thread gives it once, at any time. It can also say that the
/// request is to be handled anew.
///
/// The connection is parked without a thread until `answer(_:)`. A handler makes the reply and returns it in
/// `HTTPAnswer.later`. One reply belongs to one request.
package final class DeferredReply: Sendable {
  /// The reason why a wait ended without an answer.
  package enum Ending: Sendable {
    /// The deadline passed. The owner has to answer; until it does, the request waits on.
    case timedOut
    /// The client closed its side of the connection. No answer can reach it.
    case clientLeft
    /// The server stops. The owner has to answer. If it does not answer in time, the client gets the listener's
    /// response to unanswered requests.
    case stopping
  }

  /// The outcome for the request.
  enum Outcome {
    case response(HTTPResponse)
    case stream(HTTPResponse, HTTPStream)
    /// The handler is called once more.
    case asksAgain(isCounted: Bool)

    /// Tells the owner of a stream that will not begin.
    func lose() { if case .stream(_, let stream) = self { stream.lose() } }
  }

  private enum State {
    /// No handler has returned this reply yet.
    case unbound
    /// The reply was answered before the handler returned. The answer is taken when it returns.
    case early(Outcome)
    /// A parked request of this loop waits for the answer.
    case waiting(EventLoop, Connection)
    /// The reply was answered, or no client is left to answer.
    case over
  }

  private struct Guarded {
    var state: State
    /// Cleared when it is taken to be called, and when the reply is over. So it is never called twice, and
    /// keeps nothing alive.
    var ended: (@Sendable (DeferredReply, Ending) -> Void)?
  }

  let deadline: Duration?
  private let guarded: Locked<Guarded>

  /// - Parameters:
  ///   - deadline: The time that the request may wait, from the handler's first call on, over all waits of the request
  ///     (``askAgain(isCounted:)``); nil for as long as the client waits.
  ///   - ended: Called once, on the loop's thread, when the wait has ended without an answer. It may call
  ///     `answer(_:)` on the reply that it gets. It is not called if the reply was answered. Another thread's
  ///     answer may still come first while it runs; its own answer is then not taken.
  package init(
    deadline: Duration?, ended: @escaping @Sendable (DeferredReply, Ending) -> Void
  ) {
    self.deadline = deadline
    guarded = Locked(Guarded(state: .unbound, ended: ended))
  }

  /// Gives the response. The first one wins.
  /// - Returns: Whether this response was taken. It is not if there was one before, or if the client has left.
  @discardableResult
  package func answer(_ response: HTTPResponse) -> Bool { end(with: .response(response)) }

  /// Gives a response whose body goes on, as `HTTPAnswer.stream` does.
  /// - Returns: As `answer(_:)`. If it was not taken, the stream's owner has to finish the stream.
  @discardableResult
  package func answer(_ head: HTTPResponse, _ stream: HTTPStream) -> Bool { end(with: .stream(head, stream)) }

  /// Calls the handler once more with the same request, as if it had come now. To be used when the thing that
  /// the request waited for is there.
  ///
  /// - Parameter isCounted: Whether ``HTTPRequest/attempt`` counts this.
  /// - Returns: As `answer(_:)`.
  @discardableResult
  package func askAgain(isCounted: Bool = true) -> Bool { end(with: .asksAgain(isCounted: isCounted)) }

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
    // It is released here and not under the lock, since objects that the closure keeps may run code as they go.
    withExtendedLifetime(spent) {}
    if let destination {
      destination.loop.post(.answer(destination.connection, self, outcome))
    }
    return taken
  }

  /// Ties the reply to the request whose handler returned it.
  /// - Returns: The outcome, if it was answered already; nil if the request has to wait.
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

  /// Tells the owner that the wait ended, unless it has answered or was told before. On the loop's thread.
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

/// The answer that a handler returns: the response, or the promise of one.
package enum HTTPAnswer {
  case now(HTTPResponse)
  /// The request waits, without holding a thread, until the reply is answered.
  case later(DeferredReply)
  /// The head leaves at once. Its body, which cannot be a file, is the first piece of a body that the stream
  /// goes on with.
  case stream(HTTPResponse, HTTPStream)
}
