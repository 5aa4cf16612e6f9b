// SPDX-License-Identifier: MIT
import HTTPListening

extension RouteTable {
  /// Routes by which the server tells about itself (PROTOCOL §1).
  static let server: [Route] = [
    Route(
      .get, "/models", "models", summary: "The names of the view models that this server hosts.",
      parameters: [.ifMatch, .ifNoneMatch],
      answers: [
        Route.Answer(200, .names, [], "The names, sorted."), Route.Answer(304, .nothing, [], onlyForAny),
      ],
      problems: [.versionMoved],
      need: .nothing,
      handler: { app, _ in .now(app.models()) }),
    Route(
      .get, "/openapi.json", "description", summary: "This description.",
      parameters: [.ifMatch, .ifNoneMatch],
      answers: [
        Route.Answer(200, .description, [.etag], "OpenAPI 3.1."),
        Route.Answer(304, .nothing, [.etag], "The client has this description already."),
      ],
      problems: [.versionMoved],
      need: .nothing,
      handler: { app, call in .now(app.descriptions.whole.response(to: call.request)) }),
    Route(
      .get, "/models/{name}/openapi.json", "modelDescription", summary: "The description of one view model alone.",
      parameters: [.ifMatch, .ifNoneMatch],
      answers: [
        Route.Answer(200, .description, [.etag], "OpenAPI 3.1, with the paths of this view model and what they need."),
        Route.Answer(304, .nothing, [.etag], "The client has this description already."),
      ],
      problems: [.notFound, .versionMoved],
      need: .nothing,
      handler: { app, call in
        // The path after "/models/", up to "/openapi.json".
        let sent = call.target.path(fromSegment: 1).prefix { $0 != "/" }
        return .now(try app.descriptions.of(call.path.name, sentAs: String(sent)).response(to: call.request))
      }),
    Route(
      .get, "/problems", "problems", summary: "What can go wrong.", isPage: true, parameters: [.ifMatch, .ifNoneMatch],
      answers: [
        Route.Answer(200, .page, [.etag], "The kinds of problems, what each means, and what to do."),
        Route.Answer(304, .nothing, [.etag], "The client has this page already."),
      ],
      problems: [.versionMoved],
      need: .nothing,
      handler: { app, call in .now(app.problems.all.response(to: call.request)) }),
    Route(
      .get, "/problems/{name}", "problem", summary: "What one kind of problem means, and what to do.",
      details: "The `type` of each problem leads here.", isPage: true,
      parameters: [.ifMatch, .ifNoneMatch],
      answers: [
        Route.Answer(200, .page, [.etag], "The page."),
        Route.Answer(304, .nothing, [.etag], "The client has this page already."),
      ],
      problems: [.notFound, .versionMoved],
      need: .nothing,
      handler: { app, call in
        guard let page = app.problems.page(of: call.path.name) else {
          throw Problem(.notFound, "there is no problem of this name; /problems has all of them")
        }
        return .now(page.response(to: call.request))
      }),
    Route(
      .get, "/healthz", "health", summary: "Whether the server is alive.", isProbe: true,
      parameters: [.ifMatch, .ifNoneMatch],
      answers: [Route.Answer(200, .text, [], "It is."), Route.Answer(304, .nothing, [], onlyForAny)],
      problems: [.versionMoved],
      need: .nothing,
      handler: { _, _ in .now(.probe("ok\n")) }),
    Route(
      .get, "/readyz", "ready", summary: "Whether the server is to be given new clients.", isProbe: true,
      parameters: [.ifMatch, .ifNoneMatch],
      answers: [Route.Answer(200, .text, [], "It is."), Route.Answer(304, .nothing, [], onlyForAny)],
      problems: [.versionMoved, .storeUnavailable],
      need: .nothing,
      handler: { app, _ in
        try app.refuseWhileDraining()
        try app.refuseWhileStoreFails()
        return .now(.probe("ready\n"))
      }),
    Route(
      .get, "/metrics", "metrics", summary: "What the server counts, in Prometheus' text format.",
      details: "Unless it is set up otherwise, for clients on the server's own machine alone.",
      parameters: [.ifMatch, .ifNoneMatch],
      answers: [Route.Answer(200, .text, [], "The metrics."), Route.Answer(304, .nothing, [], onlyForAny)],
      problems: [.notFound, .versionMoved],
      need: .nothing,
      handler: { app, call in try app.metrics(call.request) }),
  ]

  /// The files of the passive views. The app decides which files there are.
  static let files = [
    Route(
      .get, "/{path}", "file", summary: "A file of the passive views.", isPage: true,
      parameters: [.ifMatch, .ifNoneMatch],
      answers: [
        Route.Answer(200, .text, [.etag], "The file."),
        Route.Answer(206, .text, [.etag], "The part of the file that `Range` asks for."),
        Route.Answer(304, .nothing, [.etag], "The client has this file already."),
      ],
      problems: [.notFound, .versionMoved, .rangeNotSatisfiable],
      need: .nothing,
      handler: { app, call in
        let segments = call.target.segments
        if let answer = try app.files.answer(segments, to: call.request) { return answer }
        for page in StaticFiles.pages(at: segments, root: app.rootPage) {
          if let answer = try app.files.answer(page, to: call.request) { return answer }
        }
        if segments == [""] { return .now(try app.front(to: call.request)) }
        throw Problem(.notFound, "there is no such file")
      })
  ]

  /// The description of a 304 for resources without an entity tag.
  static let onlyForAny = "The client asked for it if there is none: by `If-None-Match: *`, and there is one."
}
