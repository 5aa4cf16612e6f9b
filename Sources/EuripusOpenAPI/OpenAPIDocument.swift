// SPDX-License-Identifier: MIT
import EuripusServer
import JSONPatching
import ViewModels

/// The OpenAPI 3.1 description of a server: every view model's own paths with the types of the values that they take
/// and give, from the surfaces and the table of routes.
///
/// The same surfaces always give the same bytes.
struct OpenAPIDocument {
  private var schemas = StateSchemas()
  private var responses = OpenAPIResponses()
  private var paths: [JSON.Member] = []
  private let tags: [JSON]
  private let title: String
  private let names: [String]
  private let isForOperators: Bool

  /// The description of a whole server.
  ///
  /// - Parameter models: the view models, in the order in which the description has them.
  init(_ models: [SurfaceDescription], _ table: RouteTable) {
    let server: JSON = ["name": "server", "description": "What this server is and hosts."]
    self.init(
      table.isForOperators ? "Euripus: for operators" : "Euripus", models, tags: models.map(Self.tag) + [server],
      isForOperators: table.isForOperators)
    let resources = Self.resources(of: table)
    for model in models { add(model, resources) }
    for resource in resources where !resource.template.isOfModel {
      add(resource.template.text, resource.routes.map { operation($0, of: resource, OpenAPIOperation($0)) })
    }
  }

  /// The description of one view model alone.
  init(of model: SurfaceDescription, _ table: RouteTable) {
    self.init("Euripus: \(model.name)", [model], tags: [Self.tag(model)])
    add(model, Self.resources(of: table))
  }

  private init(_ title: String, _ models: [SurfaceDescription], tags: [JSON], isForOperators: Bool = false) {
    self.isForOperators = isForOperators
    (self.title, self.tags, names) = (title, tags, models.map(\.name))
    OpenAPIMessages.place(in: &schemas.shelf)
    if isForOperators { OpenAPIAdministration.place(in: &schemas.shelf) }
  }

  /// The resources that have a description: all but files, which are the application's affair.
  private static func resources(of table: RouteTable) -> [Resource] {
    table.resources.filter { $0.template != RouteTable.file }
  }

  private static func tag(_ model: SurfaceDescription) -> JSON {
    let about = model.about.map { [JSON.Member(name: "description", value: .string($0))] } ?? []
    return .object([JSON.Member(name: "name", value: .string(model.name))] + about)
  }

  var json: [UInt8] {
    let paths = JSON.object(paths)
    let components: JSON = [
      "schemas": .object(schemas.shelf.all),
      "parameters": .object(OpenAPIParameters.all + [OpenAPIParameters.modelName(names)]),
      "headers": .object(OpenAPIParameters.fields), "responses": .object(responses.all),
    ]
    var needed = OpenAPIComponents(components).needed(by: paths)
    if !isForOperators { needed["securitySchemes"] = Self.securitySchemes }
    let introduction = isForOperators ? OpenAPIAdministration.introduction : Self.introduction
    let document: JSON = [
      "openapi": "3.1.1", "jsonSchemaDialect": "https://json-schema.org/draft/2020-12/schema",
      "info": [
        "title": .string(title), "version": "1", "summary": "View models on the server, passive views anywhere",
        "description": .string(introduction), "license": ["name": "MIT", "identifier": "MIT"],
      ],
      "servers": [["url": "/"]], "tags": .array(tags), "paths": paths, "components": needed,
    ]
    var writer = JSONWriter(capacity: 256 * 1024)
    writer.json(document)
    return writer.bytes
  }

  private static let securitySchemes: JSON = [
    "cookie": [
      "type": "apiKey", "in": "cookie", "name": .string(KeyCookie.secureName),
      "description":
        "The client's key, set when it opens its first session. Without TLS its name is `euripus-` and the server's port, such as `euripus-8080`.",
    ],
    "bearer": [
      "type": "http", "scheme": "bearer",
      "description": "The client's key, told when it opens its first session with `\"auth\":\"bearer\"`.",
    ],
  ]

  // MARK: A view model

  private mutating func add(_ model: SurfaceDescription, _ resources: [Resource]) {
    // The state first: its names are the shortest.
    _ = schemas.state(of: model)
    let paths = SurfacePaths(model, &schemas)
    let own = ModelSchemas(model, paths, &schemas)
    for resource in resources where resource.template.isOfModel {
      if own.address == nil, resource.routes.contains(where: { $0.body == .address }) { continue }
      let base = resource.template.text.replacing("{model}", with: model.name)
      if base.hasSuffix("/state/{path}") {
        for (path, leaves) in paths.values { add(model, own, resource, base, path, leaves) }
      } else if base.hasSuffix("/actions/{path}") {
        for (path, leaves) in paths.actions { add(model, own, resource, base, path, leaves) }
      } else if base.hasSuffix("/uploads/{path}") {
        for path in paths.uploads { add(model, own, resource, filesAt: path, base) }
      } else {
        add(base, resource.routes.map { operation($0, of: resource, OpenAPIOperation($0, of: model, own)) })
      }
    }
  }

  private mutating func add(
    _ model: SurfaceDescription, _ own: ModelSchemas, _ resource: Resource, _ base: String, _ path: String,
    _ leaves: [SurfacePaths.Leaf]
  ) {
    let operations = resource.routes.compactMap {
      OpenAPIOperation($0, of: model, own, at: path, leaves, &schemas.shelf)
    }
    guard !operations.isEmpty else { return }
    add(
      base.replacing("{path}", with: path), operations.map { operation($0.route, of: resource, $0) })
  }

  /// Adds the paths of files: that at which new ones are sent, and that of each.
  private mutating func add(
    _ model: SurfaceDescription, _ own: ModelSchemas, _ resource: Resource, filesAt path: String, _ base: String
  ) {
    for isOfOne in [false, true] {
      let whole = isOfOne ? "\(path)/{file}" : path
      let operations = resource.routes.filter { ($0.method == .post) != isOfOne }
      add(
        base.replacing("{path}", with: whole),
        operations.map { operation($0, of: resource, OpenAPIOperation($0, of: model, own, at: path)) })
    }
  }

  // MARK: Paths

  private mutating func add(_ path: String, _ operations: [JSON.Member]) {
    var members: [JSON.Member] = []
    let parameters = path.split(separator: "/").filter { $0.hasPrefix("{") }.map { $0.dropFirst().dropLast() }
    if !parameters.isEmpty {
      let values = parameters.map { name in
        if name.hasPrefix("key") { return OpenAPIParameters.key(String(name)) }
        return OpenAPIParameters.reference(Self.parameter(String(name), of: path))
      }
      members.append(JSON.Member(name: "parameters", value: .array(values)))
    }
    paths.append(JSON.Member(name: path, value: .object(members + operations)))
  }

  /// The component of a path's parameter: `name` is that of a view model, of an offered file, or of a problem.
  private static func parameter(_ name: String, of path: String) -> String {
    if name == "name", path.hasPrefix("/models/") { return "modelName" }
    return name == "name" && path.hasPrefix("/sessions/") ? "offer" : name
  }

  private mutating func operation(
    _ route: Route, of resource: Resource, _ operation: OpenAPIOperation
  ) -> JSON.Member {
    let problems = responses.members(operation.problems + Problem.Kind.anywhere, hasTag: resource.hasEntityTag)
    return JSON.Member(
      name: route.method.rawValue.lowercased(), value: .object(operation.members(problems: problems)))
  }
}
