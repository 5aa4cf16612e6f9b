// SPDX-License-Identifier: MIT

extension Endpoint {
  /// Everything that this server does, in the order of PROTOCOL §1.
  static let table: [Endpoint] = server + sessions + flow

  private static let server: [Endpoint] = [
    Endpoint(
      method: .get, resource: .file, name: "file", summary: "A file of the passive views.",
      parameters: [.ifMatch, .ifNoneMatch],
      answers: [
        Answer(200, .text, [.etag], "The file."), Answer(304, .nothing, [.etag], "The client has this file already."),
      ],
      problems: [.notFound, .versionMoved]),
    Endpoint(
      method: .get, resource: .models, name: "models", summary: "The names of the view models that this server hosts.",
      parameters: [.ifMatch, .ifNoneMatch],
      answers: [
        Answer(200, .names, [], "The names, sorted."), Answer(304, .nothing, [], onlyForAny),
      ],
      problems: [.versionMoved]),
    Endpoint(
      method: .get, resource: .description, name: "description", summary: "This description.",
      parameters: [.ifMatch, .ifNoneMatch],
      answers: [
        Answer(200, .description, [.etag], "OpenAPI 3.1."),
        Answer(304, .nothing, [.etag], "The client has this description already."),
      ],
      problems: [.versionMoved]),
    Endpoint(
      method: .get, resource: .problems, name: "problems", summary: "What can go wrong.",
      parameters: [.ifMatch, .ifNoneMatch],
      answers: [
        Answer(200, .problems, [.etag], "The kinds of problems: a page for people, or JSON."),
        Answer(304, .nothing, [.etag], "The client has this page already."),
      ],
      problems: [.notAcceptable, .versionMoved]),
    Endpoint(
      method: .get, resource: .problem, name: "problem", summary: "What one kind of problem means, and what to do.",
      details: "The `type` of each problem leads here.", parameters: [.ifMatch, .ifNoneMatch],
      answers: [
        Answer(200, .problem, [.etag], "A page for people, or JSON."),
        Answer(304, .nothing, [.etag], "The client has this page already."),
      ],
      problems: [.notFound, .notAcceptable, .versionMoved]),
    Endpoint(
      method: .get, resource: .health, name: "health", summary: "Whether the server is alive.",
      parameters: [.ifMatch, .ifNoneMatch],
      answers: [Answer(200, .text, [], "It is."), Answer(304, .nothing, [], onlyForAny)], problems: [.versionMoved]),
    Endpoint(
      method: .get, resource: .ready, name: "ready", summary: "Whether the server is to be given new clients.",
      parameters: [.ifMatch, .ifNoneMatch],
      answers: [Answer(200, .text, [], "It is."), Answer(304, .nothing, [], onlyForAny)], problems: [.versionMoved]),
    Endpoint(
      method: .get, resource: .metrics, name: "metrics", summary: "What the server counts, in Prometheus' text format.",
      details: "Unless it is set up otherwise, for clients on the server's own machine alone.",
      parameters: [.ifMatch, .ifNoneMatch],
      answers: [Answer(200, .text, [], "The metrics."), Answer(304, .nothing, [], onlyForAny)],
      problems: [.notFound, .versionMoved]),
  ]

  private static let sessions: [Endpoint] = [
    Endpoint(
      method: .post, resource: .sessions, name: "open", summary: "Open a session.",
      details: """
        Makes a view model of one's own and answers with its state. The first session that a client opens gives it a key, \
        which is what lets it use its sessions: by default a cookie.
        """,
      parameters: [.ifMatch, .key], body: .opening,
      answers: [Answer(201, .opened, [.etag, .location, .setCookie], "The session is open, and this is its state.")],
      problems: [
        .malformedJSON, .badCredential, .notFound, .sessionClosed, .versionMoved, .notJSON, .invalidAction, .keyReused,
        .tooManySessions, .tooManyRequests, .stateTooLarge, .storeFull, .storeUnavailable,
      ]),
    Endpoint(
      method: .get, resource: .session, name: "read", summary: "The present state, whole.",
      details: """
        With `If-None-Match` and `Prefer: wait=N` it waits for a change first, so that a client without code for patches \
        can follow too.
        """,
      parameters: [.ifMatch, .ifNoneMatch, .wait],
      answers: [
        Answer(200, .snapshot, [.etag, .preferenceApplied], "The state and its version."),
        Answer(
          304, .nothing, [.etag, .preferenceApplied, .retryAfter],
          "The client has this state already, and nothing changed."),
      ],
      problems: ofSession + [.versionMoved]),
    Endpoint(
      method: .delete, resource: .session, name: "close", summary: "Close the session.",
      details: "Whoever waits for its changes is answered `410`.",
      parameters: [.ifMatch, .ifNoneMatch, .key],
      answers: [Answer(204, .nothing, [], "It is closed.")],
      problems: ofSession + ofChange),
  ]

  private static let flow: [Endpoint] = [
    Endpoint(
      method: .get, resource: .value, name: "value", summary: "One value of the state.",
      parameters: [.ifMatch, .ifNoneMatch],
      answers: [
        Answer(200, .value, [.etag], "The value, and as the ETag the version of the whole state."),
        Answer(304, .nothing, [.etag], "The state is still of this version."),
      ],
      problems: ofSession + [.notFound, .versionMoved]),
    Endpoint(
      method: .put, resource: .value, name: "set", summary: "Set one writable value.",
      parameters: [.since, .ifMatch, .ifNoneMatch, .key], body: .value,
      answers: [Answer(200, .outcome, [.etag], "What has changed.")],
      problems: ofSession + ofChange + ofBody + ofAction + [.readOnly, .actionDisabled]),
    Endpoint(
      method: .post, resource: .action, name: "perform", summary: "Perform one action, or start a command.",
      details: """
        One action is one transaction: all that it changes is one revision and one patch. An action that takes no value is \
        performed with an empty body.
        """,
      parameters: [.since, .wait, .ifMatch, .ifNoneMatch, .key], body: .argument,
      answers: [Answer(200, .outcome, [.etag, .preferenceApplied], "What has changed.")],
      problems: ofSession + ofChange + ofBody + ofAction + [.actionDisabled, .commandBusy]),
    Endpoint(
      method: .delete, resource: .action, name: "cancel", summary: "Cancel a command.",
      details: "One that is not executing is left alone.",
      parameters: [.since, .ifMatch, .ifNoneMatch, .key],
      answers: [Answer(200, .outcome, [.etag], "What has changed.")],
      problems: ofSession + ofChange + ofAction + [.invalidAction]),
    Endpoint(
      method: .post, resource: .actions, name: "performMany", summary: "Do many things at once, or none of them.",
      details: """
        Sets values, performs actions and cancels commands as one transaction, one revision and one patch. Each finds what \
        the ones before it have made; commands that they start begin when all have passed. If one is refused, nothing is \
        done, and the problem's `errors` name each that is bad.
        """,
      parameters: [.since, .wait, .ifMatch, .ifNoneMatch, .key], body: .batch,
      answers: [
        Answer(200, .outcomes, [.etag, .preferenceApplied], "What has changed, and the results in the same order.")
      ],
      problems: ofSession + ofChange + ofBody + ofAction + [.readOnly, .actionDisabled, .commandBusy]),
    Endpoint(
      method: .get, resource: .changes, name: "changes", summary: "What has changed since a version.",
      details: """
        Without `since`, or where it cannot be computed, the answer is the whole state. With `Prefer: wait=N` the request \
        is held until something changes, for N seconds at most. With `Accept: text/event-stream` it is a stream of \
        server-sent events, one a frame, whose `id` is the version that the frame leads to.
        """,
      parameters: [.since, .wait, .lastEventID, .ifMatch, .ifNoneMatch],
      answers: [
        Answer(
          200, .frames, [.etagUnlessStream, .preferenceApplied], "One frame, from `since` to now; or a stream of them."),
        Answer(204, .nothing, [.preferenceApplied, .retryAfter], "Nothing has changed."),
        Answer(304, .nothing, [.etag, .preferenceApplied], "The client has the present version by other ways."),
      ],
      problems: ofSession + [.badVersion, .notAcceptable, .versionMoved]),
  ]

  /// Of what has no entity tag.
  private static let onlyForAny = "The client asked for it if there is none: by `If-None-Match: *`, and there is one."

  /// What every request to a session may meet.
  private static let ofSession: [Problem.Kind] = [
    .badCredential, .noSession, .sessionClosed, .storeFull, .storeUnavailable,
  ]
  /// What every change may meet.
  private static let ofChange: [Problem.Kind] = [.badVersion, .versionMoved] + ofKey
  /// What may come of a key; requests that come too fast are refused likewise.
  private static let ofKey: [Problem.Kind] = [.outOfOrder, .keyReused, .tooManyRequests]
  /// What every change of the state may meet.
  private static let ofAction: [Problem.Kind] = [.stateTooLarge]
  private static let ofBody: [Problem.Kind] = [.malformedJSON, .notJSON, .invalidAction]
}

extension Problem.Kind {
  /// What can go wrong with a request to any resource, before it is known to which. (To a method that it does not know
  /// each answers `method-not-allowed`.)
  static let anywhere: [Self] = [
    .badRequest, .crossSite, .bodyTooLarge, .targetTooLong, .expectationFailed, .wrongHost, .headersTooLarge,
    .internalError, .poisoned, .notImplemented, .versionNotSupported, .draining, .overloaded,
  ]
}
