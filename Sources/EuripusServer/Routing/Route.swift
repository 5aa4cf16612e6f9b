// SPDX-License-Identifier: MIT
import HTTPListening

/// One method of one kind of resource: its path, its documentation and its handler.
///
/// A row of the table (``RouteTable/all``) from which the routing, `Allow`, `405`, the labels of metrics, the OpenAPI
/// description and the proofs of the documentation all come, so that they cannot say different things.
package final class Route: Sendable {
  /// A part of a request beside its path and its body.
  package enum Parameter: Sendable, CaseIterable {
    /// `?since=V`: where the answer's frame starts.
    case since
    /// `Prefer: wait=N`
    case wait
    case ifMatch
    case ifNoneMatch
    /// `Idempotency-Key`
    case key
    case lastEventID
    /// `?model=M`, `?user=U` and `?client=C`: an operator's, to choose the sessions of a model, a user or a client.
    case ofModel, ofUser, ofClient
    /// `?all=true`: an operator's, for all of them.
    case all
    /// `?olderThan=S`: an operator's, for how long nobody has used them.
    case olderThan
    /// `?after=ID` and `?limit=N`: the page of a list.
    case after, limit
  }

  package enum Body: Sendable {
    case none
    /// The options of a session that is opened; may be empty.
    case opening
    /// The value to set, of the type that the path's value has.
    case value
    /// The value that the action takes; empty where it takes none.
    case argument
    /// The address of the view model's page.
    case address
    /// The client's languages and time zone.
    case preferences
    /// Many actions at once, or one in their form (``ChangeBody``).
    case batch
  }

  package let method: RequestMethod
  package let path: PathTemplate
  /// A name of its own, in the OpenAPI description and for programs made from that.
  package let name: String
  /// The purpose, in a line.
  package let summary: String
  /// More documentation, in whole sentences.
  package let details: String
  /// Whether it is a page for people, the same for all of them, to which pages of other sites may lead.
  let isPage: Bool
  package let parameters: [Parameter]
  package let body: Body
  package let answers: [Answer]
  /// The problems that a request may meet here; those of ``Problem/Kind/anywhere`` come on top.
  package let problems: [Problem.Kind]
  let handler: Handler
  /// Whether it is asked for after the routes whose paths may begin with anything: before files alone.
  let isLate: Bool
  /// The route of an app's own that it is; `nil` for the server's.
  let own: AppRoute?

  /// Answers a request that was let in.
  typealias Handler = @Sendable (Application, Call) throws -> HTTPAnswer

  init(
    _ method: RequestMethod, _ path: String, _ name: String, summary: String, details: String = "",
    isPage: Bool = false, parameters: [Parameter] = [], body: Body = .none, answers: [Answer],
    problems: [Problem.Kind] = [], handler: @escaping Handler
  ) {
    (self.method, self.path, self.name, self.summary) = (method, PathTemplate(path), name, summary)
    (self.details, self.isPage, self.parameters, self.body) = (details, isPage, parameters, body)
    (self.answers, self.problems, self.handler) = (answers, problems, handler)
    (own, isLate) = (nil, false)
  }

  /// A page of a view model, at a path that is literal.
  init(page path: PathTemplate, handler: @escaping Handler) {
    (method, self.path, name, summary, details) = (.get, path, "page", "", "")
    (isPage, parameters, body, answers, problems) = (true, [], .none, [], [])
    (own, isLate, self.handler) = (nil, true, handler)
  }

  /// A route of an app's own, which is not described. Another site may lead a person to its answer, as to a page.
  init(_ own: AppRoute, _ path: PathTemplate) {
    (method, self.path, name, summary, details) = (own.method, path, own.name, "", "")
    (isPage, parameters, body, answers, problems) = (own.method == .get, [], .none, [], [])
    self.own = own
    isLate = false
    let rates = own.rate.map { RouteRates($0, now: .now) }
    handler = { app, call in try app.answer(own, call, rates) }
  }
}
