// SPDX-License-Identifier: MIT

/// A kind of resource, and where those of it are (PROTOCOL §1).
enum Resource: Int, Sendable, CaseIterable {
  case health
  case ready
  case metrics
  case models
  case description
  case problems
  case problem
  case sessions
  case session
  case value
  case action
  case actions
  case changes
  /// Not in the OpenAPI description: what files there are is the application's affair.
  case file

  /// The path, with `{model}`, `{id}` and `{path}` for what differs; `{path}` stands for one segment or more.
  var template: String {
    switch self {
    case .health: "/healthz"
    case .ready: "/readyz"
    case .metrics: "/metrics"
    case .models: "/models"
    case .description: "/openapi.json"
    case .problems: "/problems"
    case .problem: "/problems/{name}"
    case .sessions: "/sessions/{model}"
    case .session: "/sessions/{model}/{id}"
    case .value: "/sessions/{model}/{id}/state/{path}"
    case .action: "/sessions/{model}/{id}/actions/{path}"
    case .actions: "/sessions/{model}/{id}/actions"
    case .changes: "/sessions/{model}/{id}/changes"
    case .file: "/{path}"
    }
  }

  /// Whether what is there has an entity tag, which a condition that fails is then answered with.
  var hasEntityTag: Bool {
    switch self {
    case .health, .ready, .metrics, .models, .sessions: false
    case .description, .problems, .problem, .session, .value, .action, .actions, .changes, .file: true
    }
  }

  /// Its rows of the table, in the order of that.
  var endpoints: [Endpoint] { Endpoint.table.filter { $0.resource == self } }

  /// The methods that it knows, for `Allow`: HEAD wherever GET is, OPTIONS everywhere.
  var methods: [String] { Self.methods[rawValue] }

  func takes(_ method: RequestMethod) -> Bool { Self.takes[rawValue] & 1 << UInt8(method.rawValue) != 0 }

  /// Bits, as every request asks: counting references to a list that all threads share costs more.
  private static let takes = allCases.map { resource in
    precondition(RequestMethod.allCases.count <= UInt8.bitWidth, "a bit for each method")
    return RequestMethod.allCases.reduce(into: UInt8(0)) { bits, method in
      if resource.methods.contains(method.name) { bits |= 1 << UInt8(method.rawValue) }
    }
  }

  /// Found once, as answers name them.
  private static let methods = allCases.map { resource in
    let methods = Set(resource.endpoints.map(\.method))
    let known = Endpoint.Method.allCases.filter(methods.contains).flatMap {
      $0 == .get ? ["GET", "HEAD"] : [$0.rawValue]
    }
    return known + ["OPTIONS"]
  }
}
