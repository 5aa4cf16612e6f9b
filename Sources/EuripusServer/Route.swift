// SPDX-License-Identifier: MIT

/// The resource that a target names (PROTOCOL §1).
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
  case session(model: String, id: String)
  case value(model: String, id: String, path: [String])
  case action(model: String, id: String, path: [String])
  /// Many actions at once.
  case actions(model: String, id: String)
  case changes(model: String, id: String)
  /// A file of the passive views, by its path's segments.
  case file([String])
  /// Below a name that the server keeps for itself.
  case unknown

  init(_ segments: [String]) {
    self =
      switch segments.count {
      case 1 where segments[0] == "healthz": .health
      case 1 where segments[0] == "readyz": .ready
      case 1 where segments[0] == "metrics": .metrics
      case 1 where segments[0] == "models": .models
      case 1 where segments[0] == "openapi.json": .description
      case 1 where segments[0] == "problems": .problems
      case 2 where segments[0] == "problems": .problem(name: segments[1])
      case _ where segments[0] == "sessions": Self.session(segments)
      default: .file(segments)
      }
  }

  private static func session(_ segments: [String]) -> Route {
    // "/sessions/login/" is not "/sessions/login": an empty name names nothing. A row's key may be empty.
    for index in 1..<max(1, min(4, segments.count)) where segments[index].isEmpty { return .unknown }
    switch segments.count {
    case 2: return .sessions(model: segments[1])
    case 3: return .session(model: segments[1], id: segments[2])
    case 4 where segments[3] == "actions": return .actions(model: segments[1], id: segments[2])
    case 4 where segments[3] == "changes": return .changes(model: segments[1], id: segments[2])
    case 5... where segments[3] == "state":
      return .value(model: segments[1], id: segments[2], path: segments[4...].map(unescaped))
    case 5... where segments[3] == "actions":
      return .action(model: segments[1], id: segments[2], path: segments[4...].map(unescaped))
    default: return .unknown
    }
  }

  /// A reference token of a JSON Pointer (RFC 6901 §4).
  private static func unescaped(_ token: String) -> String {
    guard token.utf8.contains(UInt8(ascii: "~")) else { return token }
    return token.replacing("~1", with: "/").replacing("~0", with: "~")
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
