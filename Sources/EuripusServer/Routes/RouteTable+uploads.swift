// SPDX-License-Identifier: MIT

extension RouteTable {
  /// Routes to the files that clients send to a session (PROTOCOL §10).
  static let uploads: [Route] = [
    Route(
      .post, "/sessions/{model}/{id}/uploads/{path}", "upload", summary: "Send a file, or begin to.",
      details: """
        The body is the file, or with `Upload-Complete: ?0` its beginning, which may be empty: the rest follows by PATCH at \
        `Location`. A form of a browser (`multipart/form-data`) may have several files. The `Idempotency-Key` becomes the \
        file's key: the same request finds the same file.
        """,
      parameters: [.uploadComplete, .uploadLength, .key], body: .file,
      answers: [
        Route.Answer(
          200, .uploadAddress, [.location, .uploadOffset, .uploadComplete, .uploadLength, .uploadLimit],
          "The file is declared, and its bytes go to this address, at a store of the app's."),
        Route.Answer(
          201, .nothing, [.location, .uploadOffset, .uploadComplete, .uploadLength, .uploadLimit],
          "The file, or so much of it, is there. The answer to a form has all of its files: `{\"uploads\":[URL,…]}`."),
      ],
      problems: .ofSession + .ofUpload + [.tooManyUploads, .actionDisabled, .notAllowed], need: .client,
      handler: { app, call in try app.upload(call) }),
    Route(
      .put, "/sessions/{model}/{id}/uploads/{path}", "putUpload", summary: "Send a file under a key.",
      details: "It takes the place of a file that is there. With curl: `curl -T FILE …/uploads/NAME/`.",
      parameters: [.uploadComplete, .uploadLength], body: .file,
      answers: [
        Route.Answer(
          200, .uploadAddress, [.location, .uploadOffset, .uploadComplete, .uploadLength, .uploadLimit],
          "The file is declared, and its bytes go to this address, at a store of the app's."),
        Route.Answer(
          201, .nothing, [.location, .uploadOffset, .uploadComplete, .uploadLength, .uploadLimit],
          "The file, or so much of it, is there."),
      ],
      problems: .ofSession + .ofUpload + [.tooManyUploads, .actionDisabled, .notAllowed], need: .client,
      handler: { app, call in try app.upload(call) }),
    Route(
      .patch, "/sessions/{model}/{id}/uploads/{path}", "appendUpload", summary: "Send the next part of a file.",
      details: "`HEAD` says where it has to begin. `Upload-Complete: ?1` says that the file ends with it.",
      parameters: [.partOffset, .partComplete, .uploadLength], body: .file,
      answers: [
        Route.Answer(
          204, .nothing, [.uploadOffset, .uploadComplete, .uploadLength, .uploadLimit], "The part is there.")
      ],
      problems: .ofSession + .ofUpload + [.noUpload, .uploadRefused, .uploadOffset, .notAllowed], need: .client,
      handler: { app, call in try app.upload(call) }),
    Route(
      .get, "/sessions/{model}/{id}/uploads/{path}", "readUpload", summary: "A file that was sent.",
      details:
        "HEAD says how far it has come. The file is given once it is there as a whole, and until the app takes it.",
      parameters: [.ifMatch, .ifNoneMatch],
      answers: [
        Route.Answer(200, .file, [.etag], "The file, as one to keep: it is no page of this server."),
        Route.Answer(206, .file, [.etag], "The part of the file that `Range` asks for."),
        Route.Answer(304, .nothing, [.etag], "The client has the file."),
      ],
      problems: .ofSession + [
        .noUpload, .uploadTaken, .uploadRefused, .rangeNotSatisfiable, .versionMoved, .notAllowed, .tooManyRequests,
      ], need: .client,
      handler: { app, call in try app.readUpload(call) }),
    Route(
      .delete, "/sessions/{model}/{id}/uploads/{path}", "removeUpload", summary: "Take a file away.",
      answers: [Route.Answer(204, .nothing, [], "It is gone.")],
      problems: .ofSession + [.noUpload, .uploadTaken, .notAllowed, .tooManyRequests], need: .client,
      handler: { app, call in try app.removeUpload(call) }),
  ]
}

extension [Problem.Kind] {
  /// Problems of every request that sends a file.
  fileprivate static let ofUpload: Self = [
    .uploadTaken, .wrongFileType, .uploadContradiction, .uploadElsewhere, .uploadStoreFailed, .noRoomForUploads,
    .tooManyRequests, .stateTooLarge,
  ]
}
