// SPDX-License-Identifier: MIT
import JSONPatching
import ViewModels

/// The OpenAPI 3.1 description of a server: every view model's own paths with the types of what they take and give, from
/// the surfaces and the table of endpoints.
///
/// The same surfaces always give the same bytes.
struct OpenAPIDocument {
  private var schemas = StateSchemas()
  private var messages: [JSON.Member] = []
  private var responses = OpenAPIResponses()
  private var paths: [JSON.Member] = []
  private let tags: [JSON]

  /// - Parameter models: in the order in which they are to come.
  init(_ models: [SurfaceDescription]) {
    tags =
      models.map { model in
        let about = model.about.map { [JSON.Member(name: "description", value: .string($0))] } ?? []
        return .object([JSON.Member(name: "name", value: .string(model.name))] + about)
      } + [["name": "server", "description": "What this server is and hosts."]]
    for model in models { add(model) }
    for resource in Resource.allCases where resource != .file && !resource.isOfModel {
      add(resource.template, resource.endpoints.map { operation($0, OpenAPIOperation($0)) })
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
      "type": "apiKey", "in": "cookie", "name": .string("\(KeyCookie.name(isSecure: false))"),
      "description":
        .string(
          "The client's key, set when it opens its first session. Over TLS its name is "
            + "`\(KeyCookie.name(isSecure: true))`."),
    ],
    "bearer": [
      "type": "http", "scheme": "bearer",
      "description": "The client's key, told when it opens its first session with `\"auth\":\"bearer\"`.",
    ],
  ]

  // MARK: A view model

  private mutating func add(_ model: SurfaceDescription) {
    let state = schemas.state(of: model)
    messages += [
      JSON.Member(name: "frame.\(model.name)", value: OpenAPIMessages.frame(state).json),
      JSON.Member(
        name: "outcome.\(model.name)", value: OpenAPIMessages.frame(state, answer: ("result", .null)).json),
    ]
    let paths = SurfacePaths(model, &schemas)
    messages.append(JSON.Member(name: "change.\(model.name)", value: OpenAPIBatch.entry(paths).json))
    for resource in Resource.allCases where resource.isOfModel {
      let base = resource.template.replacing("{model}", with: model.name)
      switch resource {
      case .value: for (path, leaves) in paths.values { add(model, state, resource, base, path, leaves) }
      case .action: for (path, leaves) in paths.actions { add(model, state, resource, base, path, leaves) }
      default:
        add(base, resource.endpoints.map { operation($0, OpenAPIOperation($0, of: model, state)) })
      }
    }
  }

  private mutating func add(
    _ model: SurfaceDescription, _ state: JSONSchema, _ resource: Resource, _ base: String, _ path: String,
    _ leaves: [SurfacePaths.Leaf]
  ) {
    let operations = resource.endpoints.compactMap { OpenAPIOperation($0, of: model, state, at: path, leaves) }
    guard !operations.isEmpty else { return }
    add(base.replacing("{path}", with: path), zip(operations.map(\.endpoint), operations).map { operation($0, $1) })
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

  private mutating func operation(_ endpoint: Endpoint, _ operation: OpenAPIOperation) -> JSON.Member {
    let problems = responses.members(
      operation.problems + Problem.Kind.anywhere, hasTag: endpoint.resource.hasEntityTag)
    return JSON.Member(
      name: endpoint.method.rawValue.lowercased(), value: .object(operation.members(problems: problems)))
  }
}

extension Resource {
  /// Whether each view model has one of its own.
  var isOfModel: Bool { template.hasPrefix("/sessions/{model}") }
}
