// SPDX-License-Identifier: MIT
import HTTPListening
import ViewModels

extension RouteTable {
  /// Routes to the state of a session and to its changes, by request or as they come (PROTOCOL §3 to §5).
  static let flow: [Route] = [
    Route(
      .get, "/sessions/{model}/{id}/state/{path}", "value", summary: "One value of the state.",
      parameters: [.ifMatch, .ifNoneMatch],
      answers: [
        Route.Answer(200, .value, [.etag], "The value, and as the ETag the version of the whole state."),
        Route.Answer(304, .nothing, [.etag], "The state is still of this version."),
      ],
      problems: .ofSession + [.notFound, .versionMoved],
      need: .client,
      handler: { app, call in try app.read(call) }),
    Route(
      .put, "/sessions/{model}/{id}/state/{path}", "set", summary: "Set one writable value.",
      details: """
        `If-Match` is about this value alone: it holds if the value was not changed since that version. If it was, the answer \
        is `412 value-changed` with the value that is there.
        """,
      parameters: [.since, .preference, .ifMatch, .ifNoneMatch, .key], body: .value,
      answers: [Route.Answer(200, .outcome, [.etag, .preferenceApplied], "What has changed.")],
      problems: .ofSession + .ofChange + .ofBody + .ofAction + [
        .valueChanged, .readOnly, .actionDisabled, .notAllowed,
      ],
      need: .client,
      handler: { app, call in
        try app.change(call, isOfValue: true) { ChangeBody(.set(call.path.tokens, try app.value(of: call.request))) }
      }),
    Route(
      .post, "/sessions/{model}/{id}/actions/{path}", "perform", summary: "Perform one action, or start a command.",
      details: """
        One action is one transaction: all that it changes is one revision and one patch. An action that takes no value is \
        performed with an empty body. A value that is a text, a number or a truth value, or an object of such, may come \
        as a form.
        """,
      parameters: [.since, .preference, .ifMatch, .ifNoneMatch, .key], body: .argument,
      answers: [Route.Answer(200, .outcome, [.etag, .preferenceApplied], "What has changed.")],
      problems: .ofSession + .ofChange + .ofBody + .ofAction + [
        .actionDisabled, .notAllowed, .commandBusy, .commandFailed,
      ],
      need: .client,
      handler: { app, call in try app.perform(call) }),
    Route(
      .delete, "/sessions/{model}/{id}/actions/{path}", "cancel", summary: "Cancel a command.",
      details: "One that is not executing is left alone.",
      parameters: [.since, .preference, .ifMatch, .ifNoneMatch, .key],
      answers: [Route.Answer(200, .outcome, [.etag, .preferenceApplied], "What has changed.")],
      problems: .ofSession + .ofChange + .ofAction + [.invalidAction, .notAllowed],
      need: .client,
      handler: { app, call in try app.change(call) { ChangeBody(.cancel(call.path.tokens)) } }),
    Route(
      .post, "/sessions/{model}/{id}/actions", "performMany", summary: "Do many things at once, or none of them.",
      details: """
        Sets values, performs actions and cancels commands as one transaction, one revision and one patch. Each finds what \
        the ones before it have made; commands that they start begin when all have passed. If one is refused, nothing is \
        done, and the problem's `errors` name each that is bad. A value may have an `ifMatch`: it is set if it was not \
        changed since that version.
        """,
      parameters: [.since, .preference, .ifMatch, .ifNoneMatch, .key], body: .batch,
      answers: [
        Route.Answer(
          200, .outcomes, [.etag, .preferenceApplied], "What has changed, and the results in the same order.")
      ],
      problems: .ofSession + .ofChange + .ofBody + .ofAction
        + [.valueChanged, .readOnly, .actionDisabled, .notAllowed, .commandBusy, .commandFailed],
      need: .client,
      handler: { app, call in
        try app.change(call, canWait: true) { try ChangeBody(batch: app.body(of: call.request)) }
      }),
    Route(
      .get, "/sessions/{model}/{id}/address", "address", summary: "The address of the view model's page.",
      details:
        "A path and a query that lead to the present state: those of its values that the view model has in the address.",
      parameters: [.ifMatch, .ifNoneMatch],
      answers: [
        Route.Answer(200, .address, [.etag], "The address, and as the ETag the version of the whole state."),
        Route.Answer(304, .nothing, [.etag], "The state is still of this version."),
      ],
      problems: .ofSession + [.notFound, .versionMoved],
      need: .client,
      handler: { app, call in try app.readAddress(call) }),
    Route(
      .put, "/sessions/{model}/{id}/address", "goTo", summary: "Go to an address.",
      details: """
        Sets all values that are in the address: one that is missing goes back to what it was at first. What leads nowhere \
        is passed over, and the frame says as `address` where that has led.
        """,
      parameters: [.since, .preference, .ifMatch, .ifNoneMatch, .key], body: .address,
      answers: [Route.Answer(200, .outcome, [.etag, .preferenceApplied], "What has changed.")],
      problems: .ofSession + .ofChange + .ofBody + .ofAction + [.commandFailed],
      need: .client,
      handler: { app, call in
        try app.change(call, canWait: true) { ChangeBody(.address(try app.value(of: call.request))) }
      }),
    Route(
      .put, "/sessions/{model}/{id}/client", "prefer",
      summary: "Say which languages and which time zone are preferred.",
      details: """
        For a view model that shows its words, or times, as its client prefers them. What is left out stays as it was; at \
        the opening the languages are those of `Accept-Language`.
        """,
      inRoom: ("Nothing is done for this.", "A room has no languages and no time zone, as those are one member's."),
      parameters: [.since, .preference, .ifMatch, .ifNoneMatch, .key], body: .preferences,
      answers: [Route.Answer(200, .outcome, [.etag, .preferenceApplied], "What has changed.")],
      problems: .ofSession + .ofChange + .ofBody + .ofAction,
      need: .client,
      handler: { app, call in
        try app.change(call) {
          let preferences = try ClientPreferences(app.value(of: call.request))
          return ChangeBody(.prefer(languages: preferences.languages, timeZone: preferences.timeZone))
        }
      }),
    Route(
      .get, "/sessions/{model}/{id}/changes", "changes", summary: "What has changed since a version.",
      details: """
        Without `since`, or where it cannot be computed, the answer is the whole state. With `Prefer: wait=N` the request \
        is held until something changes, for N seconds at most. With `Accept: text/event-stream` it is a stream of \
        server-sent events, one a frame, whose `id` is the version that the frame leads to.
        """,
      parameters: [.since, .wait, .lastEventID, .ifMatch, .ifNoneMatch],
      answers: [
        Route.Answer(
          200, .frames, [.etagUnlessStream, .preferenceApplied], "One frame, from `since` to now; or a stream of them."),
        Route.Answer(204, .nothing, [.preferenceApplied, .retryAfter], "Nothing has changed."),
        Route.Answer(304, .nothing, [.etag, .preferenceApplied], "The client has the present version by other ways."),
      ],
      problems: .ofSession + [.badVersion, .notAcceptable, .versionMoved],
      need: .client,
      handler: { app, call in try app.changes(call) }),
  ]
}
