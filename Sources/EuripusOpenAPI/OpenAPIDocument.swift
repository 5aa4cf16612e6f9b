// SPDX-License-Identifier: MIT
import EuripusServer
import JSONPatching
import ViewModels

/// The OpenAPI 3.1 description of a server: every view model's own paths with the types of what they take and give, from
/// the surfaces and the table of routes.
///
/// The same surfaces always give the same bytes.
struct OpenAPIDocument {
  private var schemas = StateSchemas()
  private var messages: [JSON.Member] = []
  private var responses = OpenAPIResponses()
  private var paths: [JSON.Member] = []
  private let tags: [JSON]

  /// - Parameter models: in the order in which they are to come.
  init(_ models: [SurfaceDescription], _ table: RouteTable) {
    tags =
      models.map { model in
        let about = model.about.map { [JSON.Member(name: "description", value: .string($0))] } ?? []
        return .object([JSON.Member(name: "name", value: .string(model.name))] + about)
      } + [["name": "server", "description": "What this server is and hosts."]]
    // The files that there are, are the application's affair.
    let resources = table.resources.filter { $0.template != RouteTable.file }
    for model in models { add(model, resources.filter(\.template.isOfModel)) }
    for resource in resources where !resource.template.isOfModel {
      add(resource.template.text, resource.routes.map { operation($0, of: resource, OpenAPIOperation($0)) })
    }
  }

  var json: [UInt8] {
    let shared = OpenAPIMessages.shared + schemas.all
    let document: JSON = [
      "openapi": "3.1.1", "jsonSchemaDialect": "https://json-schema.org/draft/2020-12/schema",
      "info": [
        "title": "Euripus", "version": "1", "summary": "View models on the server, passive views anywhere",
        "description": .string(Self.introduction), "license": ["name": "MIT", "identifier": "MIT"],
      ],
      "servers": [["url": "/"]], "tags": .array(tags), "paths": .object(paths),
      "components": [
        "schemas": .object(shared.map { JSON.Member(name: $0.name, value: $0.schema.json) } + messages),
        "parameters": .object(OpenAPIParameters.all), "headers": .object(OpenAPIParameters.fields),
        "responses": .object(responses.all), "securitySchemes": Self.securitySchemes,
      ],
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
    let state = schemas.state(of: model)
    messages += [
      JSON.Member(name: "frame.\(model.name)", value: OpenAPIMessages.frame(state).json),
      JSON.Member(
        name: "outcome.\(model.name)", value: OpenAPIMessages.frame(state, answer: ("result", .null)).json),
    ]
    let paths = SurfacePaths(model, &schemas)
    messages.append(JSON.Member(name: "change.\(model.name)", value: OpenAPIBatch.entry(paths).json))
    for resource in resources {
      let base = resource.template.text.replacing("{model}", with: model.name)
      if base.hasSuffix("/state/{path}") {
        for (path, leaves) in paths.values { add(model, state, resource, base, path, leaves) }
      } else if base.hasSuffix("/actions/{path}") {
        for (path, leaves) in paths.actions { add(model, state, resource, base, path, leaves) }
      } else {
        add(base, resource.routes.map { operation($0, of: resource, OpenAPIOperation($0, of: model, state)) })
      }
    }
  }

  private mutating func add(
    _ model: SurfaceDescription, _ state: JSONSchema, _ resource: Resource, _ base: String, _ path: String,
    _ leaves: [SurfacePaths.Leaf]
  ) {
    let operations = resource.routes.compactMap { OpenAPIOperation($0, of: model, state, at: path, leaves) }
    guard !operations.isEmpty else { return }
    add(
      base.replacing("{path}", with: path), operations.map { operation($0.route, of: resource, $0) })
  }

  // MARK: Paths

  private mutating func add(_ path: String, _ operations: [JSON.Member]) {
    var members: [JSON.Member] = []
    let parameters = path.split(separator: "/").filter { $0.hasPrefix("{") }.map { $0.dropFirst().dropLast() }
    if !parameters.isEmpty {
      let values = parameters.map { name in
        name.hasPrefix("key") ? OpenAPIParameters.key(String(name)) : OpenAPIParameters.reference(String(name))
      }
      members.append(JSON.Member(name: "parameters", value: .array(values)))
    }
    paths.append(JSON.Member(name: path, value: .object(members + operations)))
  }

  private mutating func operation(
    _ route: Route, of resource: Resource, _ operation: OpenAPIOperation
  ) -> JSON.Member {
    let problems = responses.members(operation.problems + Problem.Kind.anywhere, hasTag: resource.hasEntityTag)
    return JSON.Member(
      name: route.method.rawValue.lowercased(), value: .object(operation.members(problems: problems)))
  }
}
