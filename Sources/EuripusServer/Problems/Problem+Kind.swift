// SPDX-License-Identifier: MIT
import JSONPatching

extension Problem {
  /// The kinds of problems (PROTOCOL §7). The name of a kind is the last part of a problem's type.
  package enum Kind: String, Sendable, CaseIterable {
    case malformedJSON = "malformed-json"
    case badVersion = "bad-version"
    case badRequest = "bad-request"
    case badCredential = "bad-credential"
    case signedOut = "signed-out"
    case signInNeeded = "sign-in-needed"
    case credentialReplaced = "credential-replaced"
    case crossSite = "cross-site"
    case readOnly = "read-only"
    case notAllowed = "not-allowed"
    case noInvitation = "no-invitation"
    case notFound = "not-found"
    case noSession = "no-session"
    case methodNotAllowed = "method-not-allowed"
    case notAcceptable = "not-acceptable"
    case actionDisabled = "action-disabled"
    case commandBusy = "command-busy"
    case outOfOrder = "out-of-order"
    case sessionClosed = "session-closed"
    case versionMoved = "version-moved"
    case valueChanged = "value-changed"
    case bodyTooLarge = "body-too-large"
    case targetTooLong = "target-too-long"
    case notJSON = "not-json"
    case rangeNotSatisfiable = "range-not-satisfiable"
    case expectationFailed = "expectation-failed"
    case wrongHost = "wrong-host"
    case invalidAction = "invalid-action"
    case refused
    case keyReused = "key-reused"
    case commandFailed = "command-failed"
    case noUpload = "no-upload"
    case noDownload = "no-download"
    case uploadTaken = "upload-taken"
    case uploadRefused = "upload-refused"
    case uploadOffset = "upload-offset"
    case uploadContradiction = "upload-contradiction"
    case uploadElsewhere = "upload-elsewhere"
    case uploadStoreFailed = "upload-store-failed"
    case tooManyUploads = "too-many-uploads"
    case wrongFileType = "wrong-file-type"
    case noRoomForUploads = "no-room-for-uploads"
    case tooManyRequests = "too-many-requests"
    case tooManySessions = "too-many-sessions"
    case headersTooLarge = "headers-too-large"
    case internalError = "internal"
    case poisoned
    case notImplemented = "not-implemented"
    case draining
    case overloaded
    case stateTooLarge = "state-too-large"
    case storeFull = "store-full"
    case storeUnavailable = "store-unavailable"
  }

  /// All that there is to know of a kind of problem. The texts stand on the pages of problems (PROTOCOL §1) and in the OpenAPI
  /// description.
  struct Row: Sendable {
    let status: Int
    let title: String
    /// Whether the session has decided on the request, so that a request with a key gets this answer from now on, whatever the
    /// state becomes (PROTOCOL §4). A kind that is not kept leaves the key as it was: the session was not asked, or could not
    /// decide now, or the key itself is refused.
    let isKept: Bool
    /// The reason why the server does not do what was asked.
    let why: String
    /// Advice on what to do.
    let remedy: String
    /// An example of a detail.
    let detail: String
    /// The part of a body that the example is about; `nil` for none.
    let pointer: String?
    /// Examples of further members.
    let members: [(name: String, value: JSON)]

    init(
      _ status: Int, _ title: String, isKept: Bool = false, why: String, remedy: String, detail: String,
      pointer: String? = nil, members: [(name: String, value: JSON)] = []
    ) {
      (self.status, self.title, self.isKept, self.why) = (status, title, isKept, why)
      (self.remedy, self.detail, self.pointer, self.members) = (remedy, detail, pointer, members)
    }
  }
}

extension Problem.Kind {
  package var status: Int { row.status }

  package var title: String { row.title }

  /// The `type` of a problem, which leads to the page of its kind.
  package var path: String { "/problems/\(rawValue)" }

  /// An example of a problem of this kind.
  package var example: Problem {
    var problem = Problem(self, row.detail, pointer: row.pointer)
    problem.members = row.members
    return problem
  }

  /// The row of a kind. All rows are one switch, long as it is: so the compiler asks for the row of a new kind.
  var row: Problem.Row {
    switch self {
    case .malformedJSON:
      .init(
        400, "The body is not JSON", isKept: true,
        why: """
          The body is not one JSON text. JSON is read strictly: UTF-8 without a byte order mark, no comments, no trailing \
          commas, no name twice in one object, at most 32 levels and 4,096 values.
          """,
        remedy:
          "Look at the byte that `offset` names, counted from 0. A JSON library's writer makes none of these mistakes.",
        detail: "at byte 3: expected a JSON value, found ']'", members: [("offset", 3)])
    case .badVersion:
      .init(
        400, "Not a version", isKept: true,
        why: "`since` is not of the form that versions have, so the server cannot know what the client has seen.",
        remedy: """
          Send a version just as the server gave it, in `version`, in `to` or in an `ETag` (there in quotes, which are no \
          part of it). Without `since` the answer is the whole state.
          """,
        detail: "expected one 'since' of the form epoch.revision, such as k7q2mzx4.12")
    case .badRequest:
      .init(
        400, "Not a request that can be understood",
        why: """
          The request cannot be understood: its target, its `Host` or one of its fields has a form that HTTP does not allow, \
          or two fields say different things.
          """,
        remedy:
          "The detail says which part, and what was expected. Common clients never send such a request by themselves.",
        detail: "expected one Host field, got 2")
    case .badCredential:
      .init(
        401, "The credential contradicts itself",
        why:
          "The request names its sender in a malformed way, or names two, so the server cannot tell which client it is.",
        remedy: "Send one key: the cookie that opening a session set, or the token that it answered.",
        detail: "the request has two different cookies 'euripus'; expected one")
    case .signedOut:
      .init(
        401, "Signed out",
        why: "The user of this client was signed out, here or everywhere: its credential and its sessions have ended.",
        remedy: "Open a new session, and sign in again.", detail: "this client was signed out")
    case .signInNeeded:
      .init(
        401, "Somebody has to sign in",
        why:
          "The view model is for users alone, who have their own session each, and nobody has signed in on this client.",
        remedy: "Sign in first: where, the app says.", detail: "nobody has signed in; 'notes' is for users alone")
    case .credentialReplaced:
      .init(
        401, "The credential was replaced",
        why: """
          The client has signed in, or out, a moment ago, and got another credential by the answer to that. The one of this \
          request is over.
          """,
        remedy: "Send the request again with the newer credential: a browser has it by then.",
        detail: "the credential was replaced by another one a moment ago")
    case .crossSite:
      .init(
        403, "Another site may not do this",
        why: """
          A browser says that the request comes from a page of another site. Such a page must not act for whoever is logged in \
          here.
          """,
        remedy: "Use the server from its own pages, or from a client that is no browser.",
        detail: "the browser says that this request is cross-site; expected same-origin")
    case .readOnly:
      .init(
        403, "The value is read-only", isKept: true,
        why: "The value is one that the view model shows and a view cannot write.",
        remedy: "Perform an action that changes it. `/openapi.json` has the values that can be written.",
        detail: "'instruction' is read-only: the view sees it and cannot write it")
    case .notAllowed:
      .init(
        403, "Not for this user", isKept: true,
        why:
          "The view model has this action, or this value, for certain users alone, and the session's user is none of them.",
        remedy: "Sign in as somebody who may, or have an operator give the user the role.",
        detail: "'delete' is for the role 'owner' alone")
    case .noInvitation:
      .init(
        403, "No such invitation",
        why: """
          The client opens a room by an invitation that does not let it in: it was used, has expired or was withdrawn, it is for \
          another room, or there is no such room.
          """,
        remedy: "Ask whoever sent it for another one. An invitation lets one client in, once.",
        detail: "the invitation was used, has expired or was withdrawn, or it is for another room")
    case .notFound:
      .init(
        404, "There is nothing here",
        why:
          "There is no resource at this path: no file, no view model of this name, or no value that can be read now.",
        remedy: "`/models` has the names of the view models, and `/openapi.json` every path.",
        detail: "no view model 'logon'; expected one of: login, signup")
    case .noSession:
      .init(
        404, "There is no such session",
        why: """
          No session of this client has this URL. It never was, nobody used it for so long that it ended, or it is another \
          client's: the server does not say which, so that nobody can find out what others have.
          """,
        remedy: "Open a new session. With curl, keep the cookie: `-c jar` when opening, `-b jar` from then on.",
        detail:
          "no session of this client has this URL: it never was, it was idle for too long, or it is another client's")
    case .methodNotAllowed:
      .init(
        405, "The method is not allowed here",
        why: "There is something at this path, but the method is not one of those that it knows.",
        remedy: "Use one of those that `Allow` names. OPTIONS on any path asks for them.",
        detail: "GET is not allowed here; expected one of: POST, OPTIONS")
    case .notAcceptable:
      .init(
        406, "There is no such representation",
        why: "The resource does not come in any form that the request's `Accept` takes.",
        remedy: "Accept `application/json`, or leave `Accept` out.",
        detail: "changes come as application/json; got 'Accept: image/png'")
    case .actionDisabled:
      .init(
        409, "The action is disabled", isKept: true,
        why: """
          The view model does not allow this action, or the writing of this value, in its present state. The server decides, \
          not the view.
          """,
        remedy: "Read the state: what is missing is usually in it. Show the action as disabled for as long.",
        detail: "'loginTouched' is disabled now by the view model")
    case .commandBusy:
      .init(
        409, "The command is executing", isKept: true,
        why: "The command is executing, and is one that does not take another run meanwhile.",
        remedy: "Wait until its `executing` is false, or cancel it with DELETE.",
        detail: "'suggest' takes no more now: it is executing, and its policy is to refuse")
    case .outOfOrder:
      .init(
        409, "Requests before this one have not come",
        why: """
          The `Idempotency-Key` has a number that is not the next of its name: requests with the numbers before it have not \
          come, and doing this one first would do them in another order.
          """,
        remedy: "Send the requests from the number that `expected` says, in order.",
        detail: "the next number of this key's name is 4", members: [("expected", 4)])
    case .sessionClosed:
      .init(
        410, "The session is closed",
        why: """
          The session was closed by its owner. Where `reason` is `superseded`, it ended for a newer one: its owner had as many \
          sessions as one client may have; where it is `ended`, an operator ended it. For a day this is remembered, and only its \
          owner is told.
          """,
        remedy: "Open a new session.", detail: "the session was closed")
    case .versionMoved:
      .init(
        412, "The condition does not hold", isKept: true,
        why: """
          The request is conditional, and its condition does not hold: `If-Match` names another version than there is, or \
          `If-None-Match` the one that there is.
          """,
        remedy: "Read the state, decide again, and send `If-Match` with what its `ETag` says.",
        detail: "the state is not at the version that the request is for; ETag has the one that it is at")
    case .valueChanged:
      .init(
        412, "Somebody else was quicker", isKept: true,
        why: """
          The request sets a value if nobody has changed it since a version, and somebody has. `value` is what it is now; of \
          several values, `errors` names each.
          """,
        remedy: "Choose one of the two, or make one of both, and send that with the version of `ETag` in `If-Match`.",
        detail: """
          'title' was changed since the version that the request names; expected a look at what it is now, and the request with \
          the version of ETag
          """, members: [("value", "Our picnic")])
    case .bodyTooLarge:
      .init(
        413, "The body is too large",
        why: "The body is longer than the server allows.",
        remedy: "Send less at once. An operator can allow more.", detail: "a body may have 65536 bytes at most")
    case .targetTooLong:
      .init(
        414, "The target is too long",
        why: "The target of the request, its path and query, is longer than the server allows.",
        remedy: "Send what is long in the body.", detail: "a target may have 4096 bytes at most")
    case .notJSON:
      .init(
        415, "The body must be JSON", isKept: true,
        why: """
          A body must say that it is `application/json`. This is also what keeps forms of other sites out: a browser cannot \
          send this type from a form.
          """,
        remedy: "Send `Content-Type: application/json`; with curl: `--json`.",
        detail: "expected the media type application/json, got 'text/plain' (with curl: --json)")
    case .rangeNotSatisfiable:
      .init(
        416, "The file has no such part",
        why: "The request's `Range` begins behind the end of the file, or names no byte of it.",
        remedy: "Ask for a part of as many bytes as `Content-Range` says there are, or leave `Range` out.",
        detail: "the file has 1200 bytes; 'bytes=1200-' names none of them")
    case .expectationFailed:
      .init(
        417, "The expectation cannot be met",
        why:
          "The request's `Expect` asks for something that the server does not know; it knows `100-continue`, before a body.",
        remedy: "Leave `Expect` out.", detail: "expected '100-continue', got 'tea'")
    case .wrongHost:
      .init(
        421, "Not a name of this server",
        why: """
          The request names a host that is none of this server's names. A page of another site could have its own name \
          resolve to this machine, and would else be taken for a page of this server.
          """,
        remedy: "If the name is one of yours, let the server be told of that name.",
        detail: "'example.com' is not a name of this server")
    case .invalidAction:
      .init(
        422, "Nothing was applied", isKept: true,
        why: """
          The path names no action or value of the view model, or what came is of another type than it takes. What a person \
          typed is never the reason: whether a name is too short is the view model's to say, in its state.
          """,
        remedy: "`errors` says which part of the body is wrong, and what was expected. `/openapi.json` has the types.",
        detail: "expected integer, got string", pointer: "/1/value")
    case .refused:
      .init(
        422, "The view model refused it", isKept: true,
        why: """
          The code of the view model refused the request with an error that is for people, such as one that says whose a thing \
          is. Nothing was changed.
          """,
        remedy: "Show `detail` to the person. `refusal` is the kind of error, for programs: a word of the app's own.",
        detail: "only the person who has brought a dish may take it away", members: [("refusal", "not-yours")])
    case .keyReused:
      .init(
        422, "The key belongs to another request",
        why: """
          The `Idempotency-Key` came before with another method, path or body. The same key says that a request is the same \
          one again, which this one cannot be.
          """,
        remedy: "Make a new key for each request that is not a repetition.",
        detail: "the key came with another method, path or body before")
    case .commandFailed:
      .init(
        424, "A command has not succeeded", isKept: true,
        why: """
          The changes were made. But a command that they started has ended with an error, was cancelled, or is still at work, \
          and the request asked for an answer that says so: by `Prefer: handling=strict`.
          """,
        remedy: """
          Look at `commands`, which has the `type` and the `detail` of each end, and at the state, whose version `ETag` has. To \
          try again is another request, with another key.
          """,
        detail: "the changes were made, but a command of them not: not-found: there is no such folder",
        members: [("commands", [["type": "not-found", "detail": "there is no such folder"]])])
    case .noUpload:
      .init(
        404, "There is no such file",
        why: "Nothing is being sent under this key, or the path is none to which files are sent.",
        remedy: "Begin to send it, by POST or PUT. The session's state has the keys of the files that there are.",
        detail: "no file is sent here under this key, or the path takes no files")
    case .noDownload:
      .init(
        404, "No such file is offered",
        why: "The session offers no file at this address, or does not any more: it was withdrawn, or given once.",
        remedy: "Look at the session's state, which may have another address.",
        detail: "the session offers no file at this address")
    case .uploadTaken:
      .init(
        410, "The app has taken the file",
        why: "The file came as a whole, and an action of the app has taken it. It is not sent a second time.",
        remedy: "Nothing has to be done. For another file use another key.",
        detail: "the app has taken the file of this key; expected another key, or POST, which makes one")
    case .uploadRefused:
      .init(
        409, "The file was refused",
        why:
          "What has come of the file was not taken, and is gone. `detail` says why, and so does the session's state.",
        remedy: "Take it away with DELETE, or send another file under its key with PUT.",
        detail: "The file is not what it says that it is: image/png.")
    case .uploadOffset:
      .init(
        409, "The part begins elsewhere",
        why: """
          The part does not begin where the file ends that is here, or another request sends the file by now: of two, the later one goes on.
          """,
        remedy: "Go on from `expected-offset`, which HEAD says too.",
        detail: "1048576 bytes of the file are here; expected the rest from there on",
        members: [("expected-offset", 1_048_576), ("provided-offset", 0)])
    case .uploadContradiction:
      .init(
        400, "The file is not the one that was declared",
        why:
          "Its length, its digest, its name or its type differ from what was said of it before, or it is complete already.",
        remedy: "Look with HEAD at what is here. Send another file under another key.",
        detail: "the file was declared with 1200 bytes, and ends after 800")
    case .uploadElsewhere:
      .init(
        409, "The file goes to another address",
        why:
          "The bytes of these files go to a store of the app's, and the request has some, or says that it ends the file.",
        remedy: """
          Declare the file, with an empty body, `Upload-Complete: ?0` and its `Upload-Length`. The answer has the address to which it \
          is sent.
          """,
        detail: """
          the bytes go to another address; expected a declaration, whose answer has it: an empty body, Upload-Complete: ?0
          """)
    case .uploadStoreFailed:
      .init(
        502, "The app's store for files failed",
        why: "The app could not make an address for the file, or could not see whether the file has arrived.",
        remedy: "Try again later. Whoever runs the server finds the reason in its log under the `id`.",
        detail: "the app's store for files failed; the server's log has the reason under this id",
        members: [("id", "k7q2mzx4")])
    case .tooManyUploads:
      .init(
        409, "There are enough files",
        why: "The view model takes so many files at once, and has them.",
        remedy: "Take one away, or have the app take them. The state says as `most` how many there may be.",
        detail: "the place has room for 3 at once; expected one of the files to go first")
    case .wrongFileType:
      .init(
        415, "The file is of another type",
        why: "The view model does not take files of this type, or the file's first bytes are not those of its type.",
        remedy: "Send a file of a type that the state names as `types`.",
        detail: "expected a file of the type png, jpeg, gif, webp or avif")
    case .noRoomForUploads:
      .init(
        507, "There is no room for the file",
        why: """
          The files that were sent and that nobody has taken have all the room that the client, its network or the server may give them, or the disk is full.
          """,
        remedy: "Try again later, or with a smaller file: files that nobody takes go after an hour.",
        detail: "the files that one client sends take 2684354560 bytes at most",
        members: [("limit", "max-uploads"), ("scope", "server")])
    case .tooManyRequests:
      .init(
        429, "Too many requests",
        why: """
          So much came in so short a time that this request was not served. `limit` says which limit it met, by the name of its \
          setting, and `scope` who shares it: the requests of one session, of one client, or of one address.
          """,
        remedy: "Wait for as many seconds as `retryAfter` says, which is `Retry-After` too.",
        detail: "the session takes no more actions now; expected them 1 s later",
        members: [("limit", "actions-per-second"), ("scope", "session"), ("retryAfter", 1)])
    case .tooManySessions:
      .init(
        429, "Too many sessions",
        why: """
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
    case .headersTooLarge:
      .init(
        431, "The header fields are too large",
        why: "The fields of the request are too many or too long.",
        remedy: "Send fewer cookies and fields. If a proxy adds them, see what it adds.",
        detail: "the fields may have 6144 bytes and be 64 at most")
    case .internalError:
      .init(
        500, "The app failed", isKept: true,
        why: """
          The view model, or a route of the app's own, failed, which is a mistake in the program and none of the request's. An \
          action has changed nothing, and the session lives on. Why it failed is nobody's business but the operator's.
          """,
        remedy: "Tell whoever runs the server the `id`: the server's log has the reason beside it.",
        detail: "the view model failed; the server's log has the reason under this id", members: [("id", "k7q2mzx4")])
    case .poisoned:
      .init(
        500, "The server went down over this", isKept: true,
        why: """
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
    case .notImplemented:
      .init(
        501, "Not implemented",
        why: "The server does not know the method of the request, or the coding that its body was sent with.",
        remedy: "Use GET, HEAD, POST, PUT, DELETE or OPTIONS, and of the transfer codings only `chunked`.",
        detail: "the only transfer coding that this server knows is chunked")
    case .draining:
      .init(
        503, "The server is stopping",
        why: "The server is stopping, and takes on nothing new.",
        remedy: "Try again after as many seconds as `Retry-After` says: another server will answer by then.",
        detail: "the server is stopping")
    case .overloaded:
      .init(
        503, "The server is busy",
        why: "The session, or the server, was busy with other requests for too long.",
        remedy: "Try again after as many seconds as `Retry-After` says.",
        detail: "the session, or its store, was busy for 30 s")
    case .stateTooLarge:
      .init(
        507, "The state has grown too large", isKept: true,
        why: """
          The change would have made the state of the session larger than the server allows, or given a room more guests or \
          invitations than it may have. It was taken back. `limit` says which it is.
          """,
        remedy: "Remove something first. An operator can allow a larger state.",
        detail: "the state of a session may have 1048576 bytes at most")
    case .storeFull:
      .init(
        507, "There is no room to store the session",
        why: """
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
        503, "The session cannot be stored or read now",
        why: """
          The server stores its sessions, and could not store or read this one now. What was asked for may have been applied or \
          not; a request with an Idempotency-Key can be sent again, and takes effect once.
          """,
        remedy: """
          Try again after as many seconds as `Retry-After` says, with the same Idempotency-Key. Whoever runs the server finds \
          the reason in its log under the `id`.
          """,
        detail: "the session store cannot be used now; the server's log has the reason under this id",
        members: [("id", "k7q2mzx4")])
    }
  }
}
