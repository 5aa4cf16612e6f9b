// SPDX-License-Identifier: MIT
public import Sessions

/// A route of the app: a method, a path, and the function that answers requests there (PROTOCOL §1).
///
/// ```swift
/// configuration.routes = [
///   .get("/reports/{name}.csv") { request in
///     .csv(try await reports.rows(of: try request.parameter("name")))
///   }
/// ]
/// ```
///
/// A path begins with a slash. A part between two slashes may have one parameter, `{name}`, with text before
/// and after it. The parameter stands for one character or more. Where several paths fit, text counts before a
/// parameter, from the left. An app cannot take the server's own paths. A file at a route's path is not served,
/// whatever the route's method.
///
/// The function runs on threads of its own, never on one that serves other requests, and may wait or block. Its
/// task is cancelled when the client goes away, when the function takes longer than its time, and when the
/// server has stopped. If it throws a ``RouteProblem`` or a `PresentableError`, the client is told that error.
/// Any other error is a `500` without details; the log has them.
public struct AppRoute: Sendable {
  /// Answers a request. It may be called for several requests at once.
  public typealias Function = @Sendable (RouteRequest) async throws -> RouteResponse

  /// Answers a request whose body it reads while that comes. It may be called for several requests at once.
  public typealias ReadingFunction = @Sendable (RouteRequest, RouteBody) async throws -> RouteResponse

  /// Runs a part of a function on the part's thread. A part lies between two places where the function waits.
  package typealias Surroundings = @Sendable (_ part: () -> Void) -> Void

  /// The rule for requests that a browser makes for pages of other sites.
  public enum OtherSites: Sendable {
    /// They are refused, as for the rest of the server. A browser may still follow a link to a GET route.
    case refused
    /// They are let in, with any cookies that the browser sends along. This is for a function that needs no
    /// proof of its caller, or has its own, such as a signature.
    case allowed
  }

  let method: RequestMethod
  let path: String
  let otherSites: OtherSites
  /// The longest body in bytes; `nil` for the server's limit.
  let maxBodyBytes: Int?
  let time: Duration
  let rate: Rate?
  /// Whether the function reads the body while it comes.
  var readsBody = false
  private(set) var answer: Function
  /// The surroundings of each part of the function; `nil` for none.
  private(set) var surroundings: Surroundings?

  /// The route's method and path, for people.
  package var name: String { "\(method.rawValue) \(path)" }

  /// Makes a route that reads something. The same function answers HEAD, and its body is dropped.
  ///
  /// - Parameters:
  ///   - path: a path such as `/reports/{name}.csv`, not percent-encoded.
  ///   - otherSites: whether a browser may ask for it on behalf of pages of other sites.
  ///   - time: the time that the function may take. After it the answer is `503`.
  ///   - rate: the rate at which requests may come from one known client or one user, and from all others at
  ///     one address; an IPv6 /64 counts as one address. Beyond it the answer is `429`. By default there is no
  ///     limit.
  public static func get(
    _ path: String, crossSite otherSites: OtherSites = .refused, time: Duration = .seconds(30), rate: Rate? = nil,
    _ answer: @escaping Function
  ) -> AppRoute {
    AppRoute(
      method: .get, path: path, otherSites: otherSites, maxBodyBytes: nil, time: time, rate: rate, answer: answer)
  }

  /// Makes a route that takes something, or does something.
  ///
  /// - Parameters:
  ///   - path: a path such as `/webhooks/{name}`, not percent-encoded.
  ///   - otherSites: whether a browser may send it on behalf of pages of other sites.
  ///   - maxBodyBytes: the longest body in bytes; by default the server's `listener.maxBodyBytes`. Each body is
  ///     in memory as a whole.
  ///   - time: the time that the function may take. After it the answer is `503`.
  ///   - rate: the rate at which requests may come from one known client or one user, and from all others at
  ///     one address; an IPv6 /64 counts as one address. Beyond it the answer is `429`. By default there is no
  ///     limit.
  public static func post(
    _ path: String, crossSite otherSites: OtherSites = .refused, maxBodyBytes: Int? = nil,
    time: Duration = .seconds(30), rate: Rate? = nil, _ answer: @escaping Function
  ) -> AppRoute {
    AppRoute(
      method: .post, path: path, otherSites: otherSites, maxBodyBytes: maxBodyBytes, time: time, rate: rate,
      answer: answer)
  }

  /// Makes a route that puts something at the path; otherwise as
  /// ``post(_:crossSite:maxBodyBytes:time:rate:_:)``.
  public static func put(
    _ path: String, crossSite otherSites: OtherSites = .refused, maxBodyBytes: Int? = nil,
    time: Duration = .seconds(30), rate: Rate? = nil, _ answer: @escaping Function
  ) -> AppRoute {
    AppRoute(
      method: .put, path: path, otherSites: otherSites, maxBodyBytes: maxBodyBytes, time: time, rate: rate,
      answer: answer)
  }

  /// Makes a route that takes something large: its function is called when the head is there, and reads the body while it
  /// comes. So no more than about 64 KiB of it are in memory.
  ///
  /// ```swift
  /// .post("/backups/{name}", maxBodyBytes: 1 << 30) { request, body in
  ///   for try await piece in body { try file.write(contentsOf: piece) }
  ///   return .empty
  /// }
  /// ```
  ///
  /// A client has to send at a rate of `listener.minResponseRate` or faster. An answer that comes before the body's end is
  /// sent when it has ended; if more than 1 MiB is left, the connection is closed instead.
  ///
  /// - Parameters:
  ///   - path: as for other routes.
  ///   - maxBodyBytes: the longest body in bytes. A longer one is `413`, and the function's body ends with ``RouteBodyLost``.
  ///   - otherSites: as for other routes.
  ///   - time: the time for which the function may let the client wait, and then that which it may take after the body's
  ///     end. After it the answer is `503`.
  ///   - rate: as for other routes.
  public static func post(
    _ path: String, maxBodyBytes: Int, crossSite otherSites: OtherSites = .refused, time: Duration = .seconds(30),
    rate: Rate? = nil, _ answer: @escaping ReadingFunction
  ) -> AppRoute {
    reading(.post, path, otherSites, maxBodyBytes, time, rate, answer)
  }

  /// Makes a route that puts something large at the path; otherwise as
  /// ``post(_:maxBodyBytes:crossSite:time:rate:_:)``.
  public static func put(
    _ path: String, maxBodyBytes: Int, crossSite otherSites: OtherSites = .refused, time: Duration = .seconds(30),
    rate: Rate? = nil, _ answer: @escaping ReadingFunction
  ) -> AppRoute {
    reading(.put, path, otherSites, maxBodyBytes, time, rate, answer)
  }

  private static func reading(
    _ method: RequestMethod, _ path: String, _ otherSites: OtherSites, _ maxBodyBytes: Int, _ time: Duration,
    _ rate: Rate?, _ answer: @escaping ReadingFunction
  ) -> AppRoute {
    var route = AppRoute(
      method: method, path: path, otherSites: otherSites, maxBodyBytes: maxBodyBytes, time: time, rate: rate
    ) { request in
      try await answer(request, RouteBody(body: request.incoming))
    }
    route.readsBody = true
    return route
  }

  /// Makes a route that removes the thing at the path; otherwise as ``get(_:crossSite:time:rate:_:)``.
  public static func delete(
    _ path: String, crossSite otherSites: OtherSites = .refused, time: Duration = .seconds(30), rate: Rate? = nil,
    _ answer: @escaping Function
  ) -> AppRoute {
    AppRoute(
      method: .delete, path: path, otherSites: otherSites, maxBodyBytes: nil, time: time, rate: rate, answer: answer)
  }

  /// The same route, with each part of its function in these surroundings.
  ///
  /// - Parameter check: runs first, and throws if the function must not answer.
  package func decorated(
    _ check: @escaping @Sendable () throws -> Void, _ surroundings: @escaping Surroundings
  ) -> AppRoute {
    var decorated = self
    decorated.answer = { [answer] request in
      try check()
      return try await answer(request)
    }
    decorated.surroundings = surroundings
    return decorated
  }
}
