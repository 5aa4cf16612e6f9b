// SPDX-License-Identifier: MIT
import HTTPListening

extension RouteTable {
  /// Routes that open, read and close sessions (PROTOCOL §2).
  static let sessions: [Route] = [
    Route(
      .get, "/sessions", "ownSessions", summary: "The sessions that a client, and its user, has.",
      details: """
        Those that live, 100 at most, those first that were used last: the client's, and of one whose user has signed in those of \
        the user's other clients too, which only these can use. It counts as no use.
        """,
      parameters: [.ifMatch, .ifNoneMatch],
      answers: [
        Route.Answer(200, .ownSessions, [], "The sessions; none for a client that is not known."),
        Route.Answer(304, .nothing, [], onlyForAny),
      ],
      problems: [.badCredential, .signedOut, .credentialReplaced, .versionMoved, .storeUnavailable],
      need: .client,
      handler: { app, call in try app.listOwn(call) }),
    Route(
      .post, "/sessions/{model}", "open", summary: "Open a session.",
      details: """
        Makes a view model of one's own and answers with its state. The first session that a client opens gives it a key, \
        which is what lets it use its sessions: by default a cookie.
        """,
      inRoom: (
        "Enter a room.",
        """
        Answers with the state of the room that these parameters name, which is made if it does not live. All clients that may \
        enter are in the same one. The first session or room that a client opens gives it a key: by default a cookie.
        """
      ),
      parameters: [.ifMatch, .key], body: .opening,
      answers: [
        Route.Answer(201, .opened, [.etag, .location, .setCookie], "The session is open, and this is its state.")
      ],
      problems: [
        .malformedJSON, .badCredential, .credentialReplaced, .signInNeeded, .notAllowed, .noInvitation, .notFound,
        .sessionClosed,
        .versionMoved, .notJSON, .invalidAction, .refused, .keyReused,
        .tooManySessions, .tooManyRequests, .stateTooLarge, .storeFull, .storeUnavailable,
      ],
      need: .opener,
      handler: { app, call in try app.open(call) }),
    Route(
      .get, "/sessions/{model}/{id}", "read", summary: "The present state, whole.",
      details: """
        With `If-None-Match` and `Prefer: wait=N` it waits for a change first, so that a client without code for patches \
        can follow too.
        """,
      parameters: [.ifMatch, .ifNoneMatch, .wait],
      answers: [
        Route.Answer(200, .snapshot, [.etag, .preferenceApplied], "The state and its version."),
        Route.Answer(
          304, .nothing, [.etag, .preferenceApplied, .retryAfter],
          "The client has this state already, and nothing changed."),
      ],
      problems: .ofSession + [.versionMoved],
      need: .client,
      handler: { app, call in try app.snapshot(call) }),
    Route(
      .delete, "/sessions/{model}/{id}", "close", summary: "Close the session.",
      details: "Whoever waits for its changes is answered `410`.",
      inRoom: (
        "Leave the room.", "The client's own polls and streams end with `410`. The room goes on for the others."
      ),
      parameters: [.ifMatch, .ifNoneMatch, .key],
      answers: [Route.Answer(204, .nothing, [], "It is closed.")],
      problems: .ofSession + .ofChange,
      need: .client,
      handler: { app, call in try app.close(call) }),
    Route(
      .post, "/sessions/{model}/{id}/leaving", "leave", summary: "Say that nobody will come back to the session.",
      details: """
        For a page that is closed, by `navigator.sendBeacon`: the session counts as one that was idle for too long if no other \
        request comes within 30 seconds, or within 5 minutes where the session is not stored and would end. The next request \
        undoes it, so a page that is loaded again has its session still.
        """,
      inRoom: (
        "Nothing is done for this.", "A room goes on for the others, so it need not know that one client leaves."
      ),
      parameters: [.ifMatch, .ifNoneMatch],
      answers: [Route.Answer(204, .nothing, [], "It is known.")],
      problems: .ofSession + [.badVersion, .versionMoved],
      need: .client,
      handler: { app, call in try app.leave(call) }),
  ]
}
