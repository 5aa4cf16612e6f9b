// SPDX-License-Identifier: MIT
public import Sessions

/// A route of an app's own: a method, a path, and the function that answers requests there (PROTOCOL §1).
///
/// ```swift
/// configuration.routes = [
///   .get("/reports/{name}.csv") { request in
///     .csv(try await reports.rows(of: try request.parameter("name")))
///   }
/// ]
/// ```
///
/// A path begins with a slash. A part between two slashes may have one parameter, `{name}`, which stands for one character or
/// more, with text before and after it. Where several paths fit, text counts before a parameter, from the left. The
/// server's own paths cannot be taken. A file at a route's path is not served, whatever the route's method.
///
/// The function runs in threads of its own, never in one that serves others, and may wait or block. Its task is cancelled when
/// the client goes away, when it takes longer than its time, and when the server has stopped. An error that it throws is told
/// to the client if it is a ``RouteProblem`` or a `PresentableError`; another is a `500` without details, which are in the log.
public struct AppRoute: Sendable {
  /// Answers a request. Called for several requests at once.
  public typealias Function = @Sendable (RouteRequest) async throws -> RouteResponse

  /// Runs a part of a function, between two places where that waits, on the part's thread.
  package typealias Surroundings = @Sendable (_ part: () -> Void) -> Void

  /// The requests that pages of other sites make in a browser.
  public enum OtherSites: Sendable {
    /// They are refused, as those to all of the server are. Following a link there is allowed, where the method is GET.
    case refused
    /// They are let in, with whatever cookies the browser sends along: for a function that needs no proof of its caller, or
    /// has its own, such as a signature.
    case allowed
  }

  let method: RequestMethod
  let path: String
  let otherSites: OtherSites
  /// `nil` for the server's.
  let maxBodyBytes: Int?
  let time: Duration
  let rate: Rate?
  private(set) var answer: Function
  /// The things that are done around each part of the function; `nil` for nothing.
  private(set) var surroundings: Surroundings?

  /// The route's method and path, for people.
  package var name: String { "\(method.rawValue) \(path)" }

  /// Reads something. HEAD is answered by the same function, and its body dropped.
  ///
  /// - Parameters:
  ///   - path: such as `/reports/{name}.csv`, not percent-encoded.
  ///   - otherSites: whether pages of other sites may have a browser ask for it.
  ///   - time: how long the function may take; then the answer is `503`.
  ///   - rate: how often one client that is known may ask, or one user, and all others at one address, an IPv6 /64 being one;
  ///     then the answer is `429`. By default as often as they like.
  public static func get(
    _ path: String, crossSite otherSites: OtherSites = .refused, time: Duration = .seconds(30), rate: Rate? = nil,
    _ answer: @escaping Function
  ) -> AppRoute {
    AppRoute(
      method: .get, path: path, otherSites: otherSites, maxBodyBytes: nil, time: time, rate: rate, answer: answer)
  }

  /// Takes something, or does it.
  ///
  /// - Parameters:
  ///   - path: such as `/webhooks/{name}`, not percent-encoded.
  ///   - otherSites: whether pages of other sites may have a browser send it.
  ///   - maxBodyBytes: the longest body; by default the server's `listener.maxBodyBytes`. Each is in memory as a whole.
  ///   - time: how long the function may take; then the answer is `503`.
  ///   - rate: how often one client that is known may ask, or one user, and all others at one address, an IPv6 /64 being one;
  ///     then the answer is `429`. By default as often as they like.
  public static func post(
    _ path: String, crossSite otherSites: OtherSites = .refused, maxBodyBytes: Int? = nil,
    time: Duration = .seconds(30), rate: Rate? = nil, _ answer: @escaping Function
  ) -> AppRoute {
    AppRoute(
      method: .post, path: path, otherSites: otherSites, maxBodyBytes: maxBodyBytes, time: time, rate: rate,
      answer: answer)
  }

  /// Puts something where the path says; otherwise as ``post(_:crossSite:maxBodyBytes:time:rate:_:)``.
  public static func put(
    _ path: String, crossSite otherSites: OtherSites = .refused, maxBodyBytes: Int? = nil,
    time: Duration = .seconds(30), rate: Rate? = nil, _ answer: @escaping Function
  ) -> AppRoute {
    AppRoute(
      method: .put, path: path, otherSites: otherSites, maxBodyBytes: maxBodyBytes, time: time, rate: rate,
      answer: answer)
  }

  /// Removes the thing that the path names; otherwise as ``get(_:crossSite:time:rate:_:)``.
  public static func delete(
    _ path: String, crossSite otherSites: OtherSites = .refused, time: Duration = .seconds(30), rate: Rate? = nil,
    _ answer: @escaping Function
  ) -> AppRoute {
    AppRoute(
      method: .delete, path: path, otherSites: otherSites, maxBodyBytes: nil, time: time, rate: rate, answer: answer)
  }

  /// The same route, of which each part of the function runs in these surroundings.
  ///
  /// - Parameter check: looks first whether there is to be an answer by the function.
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
