// SPDX-License-Identifier: MIT
import HTTPListening
import JSONPatching
import Locking
import Logging
import Sessions
import ViewModels

/// Runs the functions of an app's routes, each in a task of its own. It makes responses from the values that
/// they return and the errors that they throw.
final class RouteRunner: Sendable {
  private enum Run {
    /// The run's task is being made.
    case beginning
    case running(Task<Void, Never>)
  }

  private struct State {
    /// The runs under way, by their numbers, each of which is used once.
    var runs: [UInt64: Run] = [:]
    var lastRun: UInt64 = 0
  }

  private let state = Locked(State())
  private let threads = RouteThreads()
  private let policy: ContentSecurityPolicy
  private let logger: Logger

  init(policy: ContentSecurityPolicy, logger: Logger) { (self.policy, self.logger) = (policy, logger) }

  /// Answers a request when the route's function has answered.
  func answer(
    _ route: AppRoute, _ request: RouteRequest, of caller: ThreadCaller, _ conditions: ResourceConditions
  ) -> HTTPAnswer {
    run(for: caller, within: route.surroundings, at: route.time, late: { self.late(route, request) }) { reply, run in
      let (made, write) = await self.response(of: route, to: request)
      var response = request.isRead ? made.meetingOwn(conditions) : made
      if let write {
        let isWanted = response.status == made.status
        if isWanted, request.method != "HEAD" {
          return await self.send(response, write, by: reply, run, route, request)
        }
        // Nobody knows how long a body is that is not written. A refusal has one of its own.
        if isWanted || response.status == 304 { response.body = .unsent(length: nil) }
      }
      reply.answer(response)
    }
  }

  /// Answers a request by a function that may wait and block, on the threads of the app's functions.
  ///
  /// - Parameters:
  ///   - surroundings: those of each part of the function; `nil` for none.
  ///   - time: the time for which the request waits.
  ///   - late: makes the answer when that is over.
  ///   - body: answers by the reply. It gets the number of its run, which ``cancel(_:)`` takes.
  func run(
    for caller: ThreadCaller, within surroundings: AppRoute.Surroundings? = nil, at time: Duration,
    late: @escaping @Sendable () -> HTTPResponse,
    _ body: @escaping @Sendable (DeferredReply, _ run: UInt64) async -> Void
  ) -> HTTPAnswer {
    let run = state.withLock { state in
      state.lastRun += 1
      state.runs[state.lastRun] = .beginning
      return state.lastRun
    }
    let reply = DeferredReply(deadline: time) { reply, ending in
      switch ending {
      case .clientLeft: self.cancel(run)
      case .timedOut:
        // The order matters: the first answer counts, and a cancelled function may still give one.
        reply.answer(late())
        self.cancel(run)
      // The function may still answer.
      case .stopping: break
      }
    }
    let task = Task(executorPreference: RouteExecutor(threads, for: caller, within: surroundings)) {
      await body(reply, run)
      self.state.withLock { _ = $0.runs.removeValue(forKey: run) }
    }
    state.withLock { state in
      // A run that is over already has been removed.
      if state.runs[run] != nil { state.runs[run] = .running(task) }
    }
    return .later(reply)
  }

  private func cancel(_ run: UInt64) {
    if case .running(let task)? = state.withLock({ $0.runs[run] }) { task.cancel() }
  }

  /// Cancels all runs when the server has stopped. Their clients have been answered in their place.
  func cancelAll() {
    for case .running(let task) in state.withLock({ Array($0.runs.values) }) { task.cancel() }
  }

  private func response(of route: AppRoute, to request: RouteRequest) async -> (HTTPResponse, RouteResponse.Write?) {
    do {
      let made = try await route.answer(request)
      return (try made.httpResponse(policy), made.write)
    } catch { return (response(to: error, in: route, request), nil) }
  }

  /// Sends a response whose body is written while it is sent.
  private func send(
    _ head: HTTPResponse, _ write: RouteResponse.Write, by reply: DeferredReply, _ run: UInt64, _ route: AppRoute,
    _ request: RouteRequest
  ) async {
    let writer = RouteWriter { self.cancel(run) }
    guard reply.answer(head, writer.stream) else { return }
    do {
      try await write(writer)
      writer.stream.finish()
    } catch {
      // The log has it before the client can see it.
      if !(error is CancellationError && writer.isOver) {
        logger.error(
          "a route failed while it sent its body",
          metadata: ["id": "\(request.id)", "route": "\(route.name)", "error": "\(error)"])
      }
      writer.stream.breakOff()
    }
  }

  private func response(to error: any Error, in route: AppRoute, _ request: RouteRequest) -> HTTPResponse {
    // The request throws these problems while it is read.
    if let problem = error as? Problem { return problem.response }
    // Nobody gets this response: the client has left, or was answered already.
    if error is CancellationError && Task.isCancelled || error is RouteBodyLost {
      return Problem(.overloaded, "the request was cancelled").response
    }
    if let poisoned = error as? Poisoned, let problem = Problem(poisoned) { return problem.response }
    guard let problem = RouteProblem(error) else { return failure(error, in: route, request) }
    do { return try problem.response().httpResponse(policy) } catch { return failure(error, in: route, request) }
  }

  /// The response to an error that clients are not told. It has the id by which the error is found in the log.
  private func failure(_ error: any Error, in route: AppRoute, _ request: RouteRequest) -> HTTPResponse {
    logger.error("a route failed", metadata: ["id": "\(request.id)", "route": "\(route.name)", "error": "\(error)"])
    var problem = Problem(.internalError, "the app failed; the server's log has the reason under this id")
    problem.members = [("id", .string(request.id))]
    return problem.response
  }

  private func late(_ route: AppRoute, _ request: RouteRequest) -> HTTPResponse {
    let seconds = route.time / .seconds(1)
    logger.warning(
      "a route took too long",
      metadata: ["id": "\(request.id)", "route": "\(route.name)", "seconds": .stringConvertible(seconds)])
    var problem = Problem(.overloaded, "this took longer than \(seconds) s")
    problem.members = [("id", .string(request.id))]
    return problem.response
  }
}

extension RouteRequest {
  fileprivate var isRead: Bool { method == "GET" || method == "HEAD" }
}

extension HTTPResponse {
  /// This response, or the one that the request's conditions make of it if it has a tag. Without a tag,
  /// conditions are left to the route.
  fileprivate func meetingOwn(_ conditions: ResourceConditions) -> HTTPResponse {
    entityTag == nil ? self : meeting(conditions)
  }
}
