// SPDX-License-Identifier: MIT

extension RouteTable {
  /// Routes to the files that a session offers to its clients (PROTOCOL §11).
  static let downloads: [Route] = [
    Route(
      .get, "/sessions/{model}/{id}/downloads/{name}", "download", summary: "A file that the session offers.",
      details: """
        The app decides which files there are: their addresses are in the session's state, or are where an action sends its \
        client. One that is given once is gone after the first request that gets it, also if that asks for a part.
        """,
      parameters: [.ifMatch, .ifNoneMatch],
      answers: [
        Route.Answer(200, .file, [.etag], "The file, as one to keep: it is no page of this server."),
        Route.Answer(206, .file, [.etag], "The part of the file that `Range` asks for."),
        Route.Answer(304, .nothing, [.etag], "The client has the file."),
      ],
      problems: .ofSession + [.noDownload, .rangeNotSatisfiable, .versionMoved], need: .client,
      handler: { app, call in try app.download(call) })
  ]
}
