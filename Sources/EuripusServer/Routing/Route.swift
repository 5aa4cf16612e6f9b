// SPDX-License-Identifier: MIT
import Sessions

/// The resource that a target names (PROTOCOL §1). An id of a session is `nil` where the text cannot be one.
enum Route: Equatable {
  case health
  /// Whether the server is to be given new clients.
  case ready
  case metrics
  case models
  /// The OpenAPI description.
  case description
  case problems
  case problem(name: String)
  /// Where sessions on a view model are opened.
  case sessions(model: String)
  case session(model: String, id: SessionID?)
  case value(model: String, id: SessionID?, path: [String])
  case action(model: String, id: SessionID?, path: [String])
  /// Many actions at once.
  case actions(model: String, id: SessionID?)
  case changes(model: String, id: SessionID?)
  /// A file of the passive views, by its path's segments.
  case file([String])
  /// Below a name that the server keeps for itself.
  case unknown

  init(_ target: RequestTarget) {
    self = target.withSegments { segments in
      guard let first = segments.next() else { return .unknown }
      if first.isEqual("sessions") { return Self.session(&segments) }
      if let route = Self.single(first, isAlone: segments.isAtEnd) { return route }
      if first.isEqual("problems"), let name = segments.next(), segments.isAtEnd { return .problem(name: name.text) }
      return .file(target.segments)
    }
  }

  private static func single(_ name: RequestTarget.Segment, isAlone: Bool) -> Route? {
    guard isAlone else { return nil }
    if name.isEqual("healthz") { return .health }
    if name.isEqual("readyz") { return .ready }
    if name.isEqual("metrics") { return .metrics }
    if name.isEqual("models") { return .models }
    if name.isEqual("openapi.json") { return .description }
    return name.isEqual("problems") ? .problems : nil
  }

  private static func session(_ rest: inout RequestTarget.Segments) -> Route {
    // "/sessions/login/" is not "/sessions/login": an empty name names nothing. A row's key may be empty.
    guard let name = named(&rest) else { return .unknown }
    let model = name.text
    if rest.isAtEnd { return .sessions(model: model) }
    guard let text = named(&rest) else { return .unknown }
    let id = text.sessionID
    if rest.isAtEnd { return .session(model: model, id: id) }
    guard let kind = named(&rest) else { return .unknown }
    let isWhole = rest.isAtEnd
    if kind.isEqual("actions") {
      return isWhole ? .actions(model: model, id: id) : .action(model: model, id: id, path: rest.map { $0.token })
    }
    if kind.isEqual("changes"), isWhole { return .changes(model: model, id: id) }
    if kind.isEqual("state"), !isWhole { return .value(model: model, id: id, path: rest.map { $0.token }) }
    return .unknown
  }

  private static func named(_ rest: inout RequestTarget.Segments) -> RequestTarget.Segment? {
    rest.next().flatMap { $0.isEmpty ? nil : $0 }
  }

  /// What kind of resource it is, with what is done there; `nil` where there is none.
  var resource: Resource? {
    switch self {
    case .health: .health
    case .ready: .ready
    case .metrics: .metrics
    case .models: .models
    case .description: .description
    case .problems: .problems
    case .problem: .problem
    case .sessions: .sessions
    case .session: .session
    case .value: .value
    case .action: .action
    case .actions: .actions
    case .changes: .changes
    case .file: .file
    case .unknown: nil
    }
  }

  /// Whether it is for people to look at, the same for all of them.
  var isPage: Bool {
    switch self {
    case .file, .problems, .problem: true
    default: false
    }
  }

  /// Whether a request's conditions are about a session's version, and are looked at in its turn.
  var isInSession: Bool {
    switch self {
    case .session, .value, .action, .actions, .changes: true
    default: false
    }
  }

  /// The methods that the resource knows.
  var methods: [String] { resource?.methods ?? [] }
}
