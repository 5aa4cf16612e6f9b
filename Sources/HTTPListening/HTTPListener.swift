// SPDX-License-Identifier: MIT
import Locking

/// Listens on one address and answers HTTP/1.1 requests, on threads of its own.
///
/// The handler runs on the threads of several loops at once, and must not block. It answers at once, or returns
/// a `DeferredReply`. A listener that was started must be stopped. Its threads keep it running until then.
package final class HTTPListener: Sendable {
  private enum State {
    case new
    case running(ListenerShared, [EventLoop], [LoopThread])
    case stopped(port: UInt16, HTTPListenerCounts)
  }

  private let configuration: HTTPListenerConfiguration
  private let onRefusal: @Sendable (HTTPRefusal, HTTPRequest) -> HTTPResponse
  private let unanswered: HTTPResponse?
  private let handler: @Sendable (HTTPRequest) -> HTTPAnswer
  private let state = Locked(State.new)
  /// Held for all of `start()` and `stop(within:)`, so that a second call returns when the first one is done.
  /// No loop ever takes it.
  private let lifecycle = Locked(())

  /// - Parameters:
  ///   - configuration: The address to listen on, and the limits.
  ///   - onRefusal: Makes the response to a request that no handler sees. The connection is closed after it.
  ///   - unanswered: The response to a request that the handler has not answered when the server's grace is
  ///     over; by default an empty 503. The connection is closed after it.
  ///   - handler: Answers a request.
  package init(
    configuration: HTTPListenerConfiguration, onRefusal: @escaping @Sendable (HTTPRefusal, HTTPRequest) -> HTTPResponse,
    unanswered: HTTPResponse? = nil, handler: @escaping @Sendable (HTTPRequest) -> HTTPAnswer
  ) {
    self.configuration = configuration
    self.unanswered = unanswered
    self.onRefusal = onRefusal
    self.handler = handler
  }

  /// The port that clients connect to. It is the real one once the listener has started, and the configured one
  /// before.
  package var port: UInt16 {
    state.withLock { state in
      switch state {
      case .new: configuration.port
      case .running(let shared, _, _): shared.socket.port
      case .stopped(let port, _): port
      }
    }
  }

  /// The counts so far; all zero before the start. Reading them costs nothing to the threads that serve.
  package var counts: HTTPListenerCounts {
    state.withLock { state in
      switch state {
      case .new: HTTPListenerCounts()
      case .running(let shared, let loops, _): Self.counts(shared, loops)
      case .stopped(_, let counts): counts
      }
    }
  }

  private static func counts(_ shared: ListenerShared, _ loops: [EventLoop]) -> HTTPListenerCounts {
    var counts = HTTPListenerCounts()
    counts.connections = shared.admissions.connectionCount
    for loop in loops { loop.tally.add(to: &counts) }
    return counts
  }

  /// Binds the address and starts the loops. When it returns, clients can connect.
  package func start() throws(HTTPListeningError) {
    try lifecycle.withLock { _ in Result { () throws(HTTPListeningError) in try begin() } }.get()
  }

  /// Tells `.stopping` to every stream, and to each that begins from now on. Everything else goes on. Without
  /// effect if not running.
  package func endStreams() {
    let loops: [EventLoop] = state.withLock { state in
      if case .running(_, let loops, _) = state { loops } else { [] }
    }
    for loop in loops { loop.post(.endStreams) }
  }

  /// Reads the certificate and its private key again, if the configuration has files. Handshakes that begin
  /// after it has returned use the new ones, and existing connections go on. Without effect if not running, or
  /// without TLS.
  ///
  /// - Throws: `unusableIdentity`, if they cannot be used. The earlier ones stay in use.
  package func reloadIdentity() throws(HTTPListeningError) {
    guard let tls = configuration.tls else { return }
    let identity = try LoadedIdentity(tls)
    let loops: [EventLoop] = state.withLock { state in
      if case .running(_, let loops, _) = state { loops } else { [] }
    }
    for loop in loops { loop.post(.identity(identity)) }
  }

  /// Makes the loops look at the clock, if that is moved by hand.
  package func timePassed() {
    let loops: [EventLoop] = state.withLock { state in
      if case .running(_, let loops, _) = state { loops } else { [] }
    }
    for loop in loops { loop.post(.timePassed) }
  }

  /// Stops: new clients are refused, waiting requests are told `.stopping`, every request gets its response,
  /// and the threads end. Blocks until then; without effect if not running. Not to be called by a handler.
  ///
  /// - Parameter grace: The time that requests have for their answers. A request whose line has come counts, for
  ///   as long as its client sends the rest in time. So does, for a second, the first request of a client that has just
  ///   connected. When the grace is over, requests that wait get the response
  ///   for unanswered ones, by default an empty 503, and those that are still being read are dropped.
  package func stop(within grace: Duration = .seconds(4)) {
    lifecycle.withLock { _ in end(within: grace) }
  }

  private func begin() throws(HTTPListeningError) {
    guard case .new = state.withLock({ $0 }) else { throw .alreadyStarted }
    let identity = try configuration.tls.map { (identity) throws(HTTPListeningError) in try LoadedIdentity(identity) }
    let socket = try ListeningSocket(configuration)
    var loops: [EventLoop] = []
    var threads: [LoopThread] = []
    do {
      let shared = try ListenerShared(
        configuration: configuration, identity: identity, socket: socket, onRefusal: onRefusal, unanswered: unanswered,
        handler: handler)
      for _ in 0..<max(1, configuration.loops) { loops.append(try EventLoop(shared: shared)) }
      shared.deal(to: loops)
      for loop in loops { threads.append(try LoopThread(running: loop)) }
      state.withLock { $0 = .running(shared, loops, threads) }
    } catch {
      for loop in loops.prefix(threads.count) { loop.post(.stop(by: 0)) }
      for thread in threads { thread.join() }
      for loop in loops.dropFirst(threads.count) { loop.abandon() }
      socket.closeDescriptor()
      throw error
    }
  }

  /// Whether the calling thread is one of the loops', which may not call ``stop(within:)``: it would wait for
  /// itself.
  package var isOwnThread: Bool {
    guard case .running(_, _, let threads) = state.withLock({ $0 }) else { return false }
    return threads.contains(where: \.isCurrent)
  }

  private func end(within grace: Duration) {
    guard case .running(let shared, let loops, let threads) = state.withLock({ $0 }) else { return }
    precondition(!isOwnThread, "stop() was called on a loop's own thread: it would wait for itself")
    shared.socket.refuseClients()
    let deadline = configuration.clock.now + MonotonicClock.nanoseconds(grace)
    for loop in loops { loop.post(.stop(by: deadline)) }
    for thread in threads { thread.join() }
    shared.deal(to: [])
    shared.socket.closeDescriptor()
    state.withLock { $0 = .stopped(port: shared.socket.port, Self.counts(shared, loops)) }
  }
}
