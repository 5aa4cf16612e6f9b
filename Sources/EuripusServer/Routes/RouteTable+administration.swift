// SPDX-License-Identifier: MIT
import HTTPListening
import Logging

extension RouteTable {
  /// All that operators can do (OPERATIONS, "Seeing and ending sessions").
  ///
  /// - Parameters:
  ///   - drain: makes the server open no more sessions.
  ///   - pardon: has all works done again that are refused.
  static func administration(
    drain: @escaping @Sendable () -> Void, pardon: @escaping @Sendable () -> Void
  ) -> RouteTable {
    let common = server.filter { ["description", "problems", "problem"].contains($0.name) }
    return RouteTable(administration + [drainRoute(drain), pardonRoute(pardon)] + common, isForOperators: true)
  }

  private static let administration: [Route] = [
    Route(
      .get, "/sessions", "sessions", summary: "The sessions that there are, in memory and in the store.",
      details: """
        In the order of their ids, 1,000 a page at most; a page may have fewer though there are more, which `next` says.
        """,
      parameters: [.ofModel, .ofUser, .ofClient, .olderThan, .after, .limit],
      answers: [Route.Answer(200, .sessions, [], "A page of them.")], problems: [.storeUnavailable],
      need: .nothing,
      handler: { app, call in try app.listSessions(call) }),
    Route(
      .delete, "/sessions", "endSessions",
      summary: "End all sessions of a user, of a client, or on a view model, or all there are.",
      details: """
        With one of `user`, `client`, `model` and `all`. A user is signed out of all clients by it; a client's credential, and \
        with `all` everybody's, ends too. A session that is at work ends when that is done.
        """,
      parameters: [.ofModel, .ofUser, .ofClient, .all],
      answers: [Route.Answer(200, .ended, [], "How many have ended.")],
      problems: [.notFound, .storeFull, .storeUnavailable],
      need: .nothing,
      handler: { app, call in try app.endSessions(call) }),
    Route(
      .get, "/sessions/{id}", "look", summary: "One session, and what its client sees.",
      details: """
        It is not used by this. What is in the store alone is not made again for it: it has no snapshot here, but the values that \
        it is stored as.
        """,
      answers: [Route.Answer(200, .look, [], "The session.")], problems: [.noSession, .storeUnavailable],
      need: .nothing,
      handler: { app, call in app.look(call) }),
    Route(
      .delete, "/sessions/{id}", "end", summary: "End one session.",
      details: """
        Its client is answered `410` with the reason `ended` from then on. One that is at work ends when that is done.
        """,
      answers: [Route.Answer(204, .nothing, [], "It ends.")], problems: [.noSession, .storeFull, .storeUnavailable],
      need: .nothing,
      handler: { app, call in app.endSession(call) }),
  ]

  private static func drainRoute(_ drain: @escaping @Sendable () -> Void) -> Route {
    Route(
      .post, "/drain", "drain", summary: "Open no more sessions.",
      details: """
        `/readyz` of the server says so from then on, and streams end; all else goes on. There is no way back but to start the \
        server again.
        """,
      answers: [Route.Answer(204, .nothing, [], "It drains.")],
      need: .nothing,
      handler: { app, _ in
        app.logger.notice("an operator has the server drain")
        drain()
        return .now(.noContent())
      })
  }

  private static func pardonRoute(_ pardon: @escaping @Sendable () -> Void) -> Route {
    Route(
      .post, "/pardon", "pardon", summary: "Refuse nothing any more because servers died over it.",
      details: """
        All that is answered `500 poisoned` is done again, and the supervisor forgets all that it suspects. What ends the \
        server again is refused again. Without a supervisor nothing is refused so.
        """,
      answers: [Route.Answer(204, .nothing, [], "It is done.")],
      need: .nothing,
      handler: { app, _ in
        app.logger.notice("an operator has all works done again over which servers died")
        pardon()
        return .now(.noContent())
      })
  }
}
