// SPDX-License-Identifier: MIT
import JSONPatching

extension Problem.Kind {
  /// The meaning of problems on the server's side, whatever the request.
  var meaningOfServer: Problem.Meaning {
    switch self {
    case .tooManyRequests:
      .init(
        """
        So much came in so short a time that this request was not served. `limit` says which limit it met, by the name of its \
        setting, and `scope` who shares it: the requests of one session, of one client, or of one address.
        """,
        remedy: "Wait for as many seconds as `retryAfter` says, which is `Retry-After` too.",
        detail: "the session takes no more actions now; expected them 1 s later",
        members: [("limit", "actions-per-second"), ("scope", "session"), ("retryAfter", 1)])
    case .tooManySessions:
      .init(
        """
        The server, or this client, has as many sessions as are allowed, or as take all the memory that is allowed: `scope` says \
        whose limit it is. A client that has too many is refused only where a reader waits in each: otherwise the one ends that \
        it has not used for longest.
        """,
        remedy: """
          Where `scope` is `client`, close sessions that are not used, with DELETE; where it is `server`, wait for as many \
          seconds as `retryAfter` says: a session ends by itself when it is idle.
          """,
        detail:
          "50000 sessions are open on this server, which is its limit; expected the request again, a minute later",
        members: [("limit", "max-sessions"), ("scope", "server"), ("retryAfter", 60)])
    case .internalError:
      .init(
        """
        The view model, or a route of the app's own, failed, which is a mistake in the program and none of the request's. An \
        action has changed nothing, and the session lives on. Why it failed is nobody's business but the operator's.
        """,
        remedy: "Tell whoever runs the server the `id`: the server's log has the reason beside it.",
        detail: "the view model failed; the server's log has the reason under this id", members: [("id", "k7q2mzx4")])
    case .poisoned:
      .init(
        """
        The server went down while it did this, which is no mistake of the request's, and was started again. So that it does \
        not go down for every session whenever this comes, it refuses this for an hour: the same action with the same value in \
        the same session. After several times it refuses more: the action for all, or all changes of the session or the client. \
        Nothing has been applied. The session lives on, for everything else.
        """,
        remedy: """
          Try again after an hour, with another key. Tell whoever runs the server, who finds a report and can allow it at once. \
          What is asked otherwise is done.
          """,
        detail: """
          the server went down over this before, so it was not done, and nothing was changed; it may be tried again in an hour, \
          or when the server's operator allows it
          """)
    case .draining:
      .init(
        "The server is stopping, and takes on nothing new.",
        remedy: "Try again after as many seconds as `Retry-After` says: another server will answer by then.",
        detail: "the server is stopping")
    case .storeFull:
      .init(
        """
        The server stores its sessions, and the disk has no room for this change: nothing was applied, and the session is as \
        it was stored last.
        """,
        remedy: """
          Try again later. Whoever runs the server has to make room, and finds the reason in its log under the `id`: nothing is \
          lost until then.
          """,
        detail: """
          the session store has no room for it, so nothing was applied; the server's log has the reason under this id
          """, members: [("id", "k7q2mzx4")])
    case .storeUnavailable:
      .init(
        """
        The server stores its sessions, and could not store or read this one now. What was asked for may have been applied or \
        not; a request with an Idempotency-Key can be sent again, and takes effect once.
        """,
        remedy: """
          Try again after as many seconds as `Retry-After` says, with the same Idempotency-Key. Whoever runs the server finds \
          the reason in its log under the `id`.
          """,
        detail: "the session store cannot be used now; the server's log has the reason under this id",
        members: [("id", "k7q2mzx4")])
    default:
      .init(
        "The session, or the server, was busy with other requests for too long.",
        remedy: "Try again after as many seconds as `Retry-After` says.",
        detail: "the session, or its store, was busy for 30 s")
    }
  }
}
