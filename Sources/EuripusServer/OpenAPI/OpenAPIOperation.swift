// SPDX-License-Identifier: MIT
import JSONPatching
import ViewModels

/// One endpoint of the table as OpenAPI has it: for a view model's own paths with the types that are declared there.
struct OpenAPIOperation {
  let endpoint: Endpoint
  let problems: [Problem.Kind]
  private let id: String
  private let tag: String
  private let summary: String
  private let about: [String]
  private let body: (schema: JSONSchema, isRequired: Bool)?
  private let schemas: OpenAPIContents
  private let needsKey: Bool

  /// An endpoint of the server's own.
  init(_ endpoint: Endpoint) {
    self.endpoint = endpoint
    problems = endpoint.problems
    id = endpoint.name
    tag = "server"
    summary = endpoint.summary
    about = [endpoint.details]
    body = nil
    schemas = OpenAPIContents()
    needsKey = false
  }

  /// An endpoint of a view model.
  init(_ endpoint: Endpoint, of model: SurfaceDescription, _ state: JSONSchema) {
    self.endpoint = endpoint
    problems = endpoint.problems
    id = "\(model.name).\(endpoint.name)"
    tag = model.name
    summary = endpoint.summary
    about = [endpoint.details]
    body =
      switch endpoint.body {
      case .opening: (OpenAPIMessages.opening, false)
      case .batch: (OpenAPIBatch.body(StateSchemas.reference("change.\(model.name)")), true)
      case .none, .value, .argument: nil
      }
    schemas = OpenAPIContents(model: model.name, state: state)
    needsKey = endpoint.resource != .sessions
  }

  /// An endpoint of a value or an action of a view model.
  ///
  /// - Returns: `nil` where the declarations have no use for it.
  init?(
    _ endpoint: Endpoint, of model: SurfaceDescription, _ state: JSONSchema, at path: String,
    _ leaves: [SurfacePaths.Leaf]
  ) {
    let use = OpenAPIUse(endpoint, leaves)
    guard use.isPossible else { return nil }
    self.endpoint = endpoint
    let plain = path.filter { $0 != "{" && $0 != "}" }
    problems = endpoint.problems.filter(use.canMeet)
    id = "\(model.name).\(endpoint.name).\(plain.replacing("/", with: "."))"
    tag = model.name
    summary = "\(use.verb) `\(plain)`."
    about = use.about + [endpoint.details]
    body = use.taken.map { ($0, true) }
    schemas = OpenAPIContents(model: model.name, state: state, value: use.shown, result: use.result)
    needsKey = true
  }

  /// - Parameter problems: its responses that are problems.
  func members(problems: [JSON.Member]) -> [JSON.Member] {
    var members: [JSON.Member] = [
      JSON.Member(name: "operationId", value: .string(id)), JSON.Member(name: "tags", value: [.string(tag)]),
      JSON.Member(name: "summary", value: .string(summary)),
    ]
    let description = about.filter { !$0.isEmpty }.joined(separator: " ")
    if !description.isEmpty { members.append(JSON.Member(name: "description", value: .string(description))) }
    if !endpoint.parameters.isEmpty {
      let parameters = endpoint.parameters.map { OpenAPIParameters.reference($0.key) }
      members.append(JSON.Member(name: "parameters", value: .array(parameters)))
    }
    if let body {
      let content: JSON = ["application/json": ["schema": body.schema.json]]
      members.append(JSON.Member(name: "requestBody", value: ["required": .bool(body.isRequired), "content": content]))
    }
    let answers = endpoint.answers.map { JSON.Member(name: "\($0.status)", value: schemas.response($0)) }
    members.append(JSON.Member(name: "responses", value: .object(answers + problems)))
    if tag != "server" {
      let keys: [JSON] = ClientKey.Means.allCases.map { .object([JSON.Member(name: $0.rawValue, value: [])]) }
      members.append(JSON.Member(name: "security", value: .array(needsKey ? keys : [[:]] + keys)))
    }
    return members
  }
}
