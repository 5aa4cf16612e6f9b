// SPDX-License-Identifier: MIT
import HTTPListening

/// One method of one kind of resource: its path, its documentation and its handler.
///
/// It is a row of the table (``RouteTable/all``). The routing, `Allow`, `405`, the labels of metrics, the
/// OpenAPI description and the proofs of the documentation all come from that table, so they cannot contradict
/// each other.
package final class Route: Sendable {
  /// A part of a request beside its path and its body.
  package enum Parameter: Sendable, CaseIterable {
    /// `?since=V`: the version at which the answer's frame starts.
    case since
    /// `Prefer: wait=N`
    case wait
    /// `Prefer: return=minimal`, and `wait=N` where commands may be started.
    case preference
    case ifMatch
    case ifNoneMatch
    /// `Idempotency-Key`
    case key
    case lastEventID
    /// `?model=M`, `?user=U` and `?client=C`: an operator's choice of the sessions of a model, a user or a
    /// client.
    case ofModel, ofUser, ofClient
    /// `?all=true`: an operator's choice of all sessions.
    case all
    /// `?olderThan=S`: an operator's choice of sessions that were not used for that many seconds.
    case olderThan
    /// `?after=ID` and `?limit=N`: the page of a list.
    case after, limit
    /// `Upload-Complete` and `Upload-Length`: how much of a file comes.
    case uploadComplete, uploadLength
    /// `Upload-Offset` and `Upload-Complete` of a further part, which needs both.
    case partOffset, partComplete
  }

  package enum Body: Sendable {
    case none
    /// The options of a session that is opened. It may be empty.
    case opening
    /// The value to set, of the type of the path's value.
    case value
    /// The value that the action takes. It is empty if the action takes none.
    case argument
    /// The address of the view model's page.
    case address
    /// The client's languages and time zone.
    case preferences
    /// Many actions at once, or one action in the same form (``ChangeBody``).
    case batch
    /// A file, which is read while it comes.
    case file
  }

  package let method: RequestMethod
  package let path: PathTemplate
  /// The route's own name, in the OpenAPI description and in programs made from it.
  package let name: String
  /// The purpose in one line.
  package let summary: String
  /// More documentation, in whole sentences.
  package let details: String
  /// The purpose and the documentation for a room; `nil` where they are those of any session.
  package let inRoom: (summary: String, details: String)?
  /// Whether it is a page for people, the same for all of them. Pages of other sites may lead to it.
  let isPage: Bool
  /// Whether it is for health checks, which name the server by any address that it has.
  let isProbe: Bool
  package let parameters: [Parameter]
  package let body: Body
  package let answers: [Answer]
  /// The problems that a request may meet here, besides those of ``Problem/Kind/anywhere``.
  package let problems: [Problem.Kind]
  /// The part of the caller that the handler needs.
  let need: Caller.Need
  let handler: Handler
  /// Whether the route comes after those whose paths may begin with anything, and only before files.
  let isLate: Bool
  /// The app's route that this one stands for; `nil` for a route of the server.
  let own: AppRoute?

  /// Answers a request that was let in.
  typealias Handler = @Sendable (Application, Call) throws -> HTTPAnswer

  init(
    _ method: RequestMethod, _ path: String, _ name: String, summary: String, details: String = "",
    inRoom: (summary: String, details: String)? = nil, isPage: Bool = false, isProbe: Bool = false,
    parameters: [Parameter] = [], body: Body = .none, answers: [Answer],
    problems: [Problem.Kind] = [], need: Caller.Need, handler: @escaping Handler
  ) {
    (self.method, self.path, self.name, self.summary) = (method, PathTemplate(path), name, summary)
    (self.details, self.inRoom, self.isPage, self.isProbe) = (details, inRoom, isPage, isProbe)
    (self.parameters, self.body) = (parameters, body)
    (self.answers, self.problems, self.need, self.handler) = (answers, problems, need, handler)
    (own, isLate) = (nil, false)
  }

  /// Makes the route of a view model's page, at a literal path.
  init(page path: PathTemplate, handler: @escaping Handler) {
    (method, self.path, name, summary, details) = (.get, path, "page", "", "")
    (isPage, isProbe, parameters, body, answers, problems) = (true, false, [], .none, [], [])
    (own, inRoom, isLate, need, self.handler) = (nil, nil, true, .nothing, handler)
  }

  /// Makes a route of the app, which is not in the description. Pages of other sites may lead a person to a
  /// GET, as to a page.
  init(_ own: AppRoute, _ path: PathTemplate) {
    (method, self.path, name, summary, details) = (own.method, path, own.name, "", "")
    (isPage, isProbe, parameters, body, answers, problems) = (own.method == .get, false, [], .none, [], [])
    (self.own, inRoom) = (own, nil)
    (isLate, need) = (false, .anyone)
    let rates = own.rate.map { RouteRates($0, now: .now) }
    handler = { app, call in try app.answer(own, call, rates) }
  }
}

extension Route {
  /// Whether its body is a file, which is read while it comes.
  var readsFile: Bool { if case .file = body { true } else { false } }

  /// Whether the answer to a request may be compressed (Decisions/0043). It may if it is the same for all
  /// clients. It may too if the request has only a bearer's token, as no page of another site can make a
  /// browser send that. It never may if the answer may contain a key, if it lists a client's sessions, or if it
  /// is of an app's route, whose contents are not known.
  func mayCompress(_ request: HTTPRequest, _ caller: Caller) -> Bool {
    if own != nil { return false }
    if answers.contains(where: { $0.content == .ownSessions }) { return false }
    if path.isOfModel, !path.isInSession || !ClientKey.isBearerAlone(request, of: caller) { return false }
    return AcceptEncoding(request.list("Accept-Encoding")).best(of: [.gzip]) == .gzip
  }
}

/// A request that was let in, as its route's handler gets it. It is valid as long as the request.
struct Call {
  let request: HTTPRequest
  let target: RequestTarget
  /// The open parts of the path.
  let path: PathTemplate.Match
  var caller: Caller
}
