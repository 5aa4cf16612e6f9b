// SPDX-License-Identifier: MIT
import EuripusServer
import JSONPatching
import ViewModels

/// One route of the table as OpenAPI has it: for a view model's own paths with the types that are declared there.
struct OpenAPIOperation {
  let route: Route
  let problems: [Problem.Kind]
  private let id: String
  private let tag: String
  private let summary: String
  private let about: [String]
  private let body: (schema: JSONSchema, isRequired: Bool)?
  /// The schema of the body as a form; `nil` where it takes none.
  private let form: JSONSchema?
  private let schemas: OpenAPIContents
  private let needsKey: Bool

  /// A route of the server's own.
  init(_ route: Route) {
    self.route = route
    problems = route.problems
    id = route.name
    tag = "server"
    summary = route.summary
    about = [route.details]
    (body, form) = (nil, nil)
    schemas = OpenAPIContents()
    needsKey = false
  }

  /// A route of a view model.
  ///
  /// - Parameter path: the path of the files that it is for; `nil` for all other routes.
  init(_ route: Route, of model: SurfaceDescription, _ own: ModelSchemas, at path: String? = nil) {
    self.route = route
    problems = route.problems
    let plain = path.map { "." + $0.filter { $0 != "{" && $0 != "}" }.replacing("/", with: ".") } ?? ""
    id = "\(model.name).\(route.name)\(plain)"
    tag = model.name
    let told = model.owner == .room ? route.inRoom : nil
    summary = told?.summary ?? route.summary
    about = [told?.details ?? route.details]
    body =
      switch route.body {
      case .opening: (own.opening, own.needsParams)
      case .address: own.address.map { ($0, true) }
      case .preferences: (SchemaShelf.reference("Preferences"), true)
      case .batch: (own.changes, true)
      case .none, .value, .argument, .file: nil
      }
    form = nil
    schemas = OpenAPIContents(model: own, outcome: own.outcome)
    needsKey = route.body != .opening
  }

  /// A route of a value or an action of a view model.
  ///
  /// - Returns: `nil` where the declarations have no use for it.
  init?(
    _ route: Route, of model: SurfaceDescription, _ own: ModelSchemas, at path: String,
    _ leaves: [SurfacePaths.Leaf], _ shelf: inout SchemaShelf
  ) {
    let use = OpenAPIUse(route, leaves)
    guard use.isPossible else { return nil }
    self.route = route
    let plain = path.filter { $0 != "{" && $0 != "}" }
    problems = route.problems.filter(use.canMeet)
    id = "\(model.name).\(route.name).\(plain.replacing("/", with: "."))"
    tag = model.name
    summary = "\(use.verb) `\(plain)`."
    about = use.about + [route.details]
    let name = own.name + SchemaName.of(path: path)
    body = use.taken.map { (shelf.place($0, named: name + "Input"), true) }
    form = use.form.map { shelf.place($0, named: name + "Form") }
    var outcome = own.outcome
    if use.result.json != JSONSchema.null.json {
      let schema = OpenAPIMessages.outcome(name, own.state, own.address, answer: ("result", use.result))
      outcome = shelf.place(schema, named: name + "Outcome")
    }
    schemas = OpenAPIContents(
      model: own, value: use.shown.map { shelf.place($0, named: name + "Value") }, outcome: outcome)
    needsKey = true
  }

  /// The body of a route that takes a file, or a part of one.
  private static func files(_ method: RequestMethod) -> [JSON.Member] {
    [
      JSON.Member(
        name: method == .patch ? "application/partial-upload" : "application/octet-stream", value: ["schema": [:]])
    ]
  }

  /// - Parameter problems: its responses that are problems.
  func members(problems: [JSON.Member]) -> [JSON.Member] {
    var members: [JSON.Member] = [
      JSON.Member(name: "operationId", value: .string(id)), JSON.Member(name: "tags", value: [.string(tag)]),
      JSON.Member(name: "summary", value: .string(summary)),
    ]
    let description = about.filter { !$0.isEmpty }.joined(separator: " ")
    if !description.isEmpty { members.append(JSON.Member(name: "description", value: .string(description))) }
    if !route.parameters.isEmpty {
      let parameters = route.parameters.map { OpenAPIParameters.reference($0.key) }
      members.append(JSON.Member(name: "parameters", value: .array(parameters)))
    }
    if let body {
      let bodies =
        [("application/json", body.schema)] + (form.map { [("application/x-www-form-urlencoded", $0)] } ?? [])
      let content = JSON.object(bodies.map { JSON.Member(name: $0.0, value: ["schema": $0.1.json]) })
      members.append(JSON.Member(name: "requestBody", value: ["required": .bool(body.isRequired), "content": content]))
    }
    if case .file = route.body {
      members.append(JSON.Member(name: "requestBody", value: ["content": .object(Self.files(route.method))]))
    }
    let answers = route.answers.map { JSON.Member(name: "\($0.status)", value: schemas.response($0)) }
    members.append(JSON.Member(name: "responses", value: .object(answers + problems)))
    if tag != "server" || route.answers.contains(where: { $0.content == .ownSessions }) {
      let keys: [JSON] = ClientKey.Means.allCases.map { .object([JSON.Member(name: $0.rawValue, value: [])]) }
      members.append(JSON.Member(name: "security", value: .array(needsKey ? keys : [[:]] + keys)))
    }
    return members
  }
}
