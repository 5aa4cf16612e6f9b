// SPDX-License-Identifier: MIT

extension Problem.Kind {
  /// The meaning of problems for which a request is not let in, or leads to nothing.
  var meaningOfAccess: Problem.Meaning {
    switch self {
    case .badCredential:
      .init(
        "The request names its sender in a malformed way, or names two, so the server cannot tell which client it is.",
        remedy: "Send one key: the cookie that opening a session set, or the token that it answered.",
        detail: "the request has two different cookies 'euripus'; expected one")
    case .signedOut:
      .init(
        "The user of this client was signed out, here or everywhere: its credential and its sessions have ended.",
        remedy: "Open a new session, and sign in again.", detail: "this client was signed out")
    case .signInNeeded:
      .init(
        "The view model is for users alone, who have their own session each, and nobody has signed in on this client.",
        remedy: "Sign in first: where, the app says.", detail: "nobody has signed in; 'notes' is for users alone")
    case .credentialReplaced:
      .init(
        """
        The client has signed in, or out, a moment ago, and got another credential by the answer to that. The one of this \
        request is over.
        """,
        remedy: "Send the request again with the newer credential: a browser has it by then.",
        detail: "the credential was replaced by another one a moment ago")
    case .crossSite:
      .init(
        """
        A browser says that the request comes from a page of another site. Such a page must not act for whoever is logged in \
        here.
        """,
        remedy: "Use the server from its own pages, or from a client that is no browser.",
        detail: "the browser says that this request is cross-site; expected same-origin")
    case .wrongHost:
      .init(
        """
        The request names a host that is none of this server's names. A page of another site could have its own name \
        resolve to this machine, and would else be taken for a page of this server.
        """,
        remedy: "If the name is one of yours, let the server be told of that name.",
        detail: "'example.com' is not a name of this server")
    case .notFound:
      .init(
        "There is no resource at this path: no file, no view model of this name, or no value that can be read now.",
        remedy: "`/models` has the names of the view models, and `/openapi.json` every path.",
        detail: "no view model 'logon'; expected one of: login, signup")
    case .noSession:
      .init(
        """
        No session of this client has this URL. It never was, nobody used it for so long that it ended, or it is another \
        client's: the server does not say which, so that nobody can find out what others have.
        """,
        remedy: "Open a new session. With curl, keep the cookie: `-c jar` when opening, `-b jar` from then on.",
        detail:
          "no session of this client has this URL: it never was, it was idle for too long, or it is another client's")
    default:
      .init(
        """
        The session was closed by its owner. Where `reason` is `superseded`, it ended for a newer one: its owner had as many \
        sessions as one client may have; where it is `ended`, an operator ended it. For a day this is remembered, and only its \
        owner is told.
        """,
        remedy: "Open a new session.", detail: "the session was closed")
    }
  }
}
