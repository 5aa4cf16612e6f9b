// SPDX-License-Identifier: MIT
import EuripusTesting
import JSONPatching
import Testing

@testable import Euripus
@testable import EuripusOpenAPI
@testable import EuripusServer
import ViewModels

/// A view model that contains its own kind. It also has a window, and rows of two kinds with a value of one name.
private final class Tree: ViewModel {
  let text = Observable("")
  let grown = Observable<Tree?>(nil, cutOff: .never)
  let mixed = KeyedList<any ViewModel>()
  let leaves = KeyedList<Leaf>(window: 2)
  let grow = Observer<Int>()
  static let surface = Surface<Tree>(
    "tree", about: "A tree.",
    .twoWay("text", \.text), .nested("grown", \.grown), .list("mixed", \.mixed, of: Leaf.self, Fruit.self),
    .list("leaves", \.leaves, hasWindow: true), .action("grow", \.grow).about("Grows."))
}

private final class Leaf: ViewModel {
  let size = Observable(1)
  static let surface = Surface<Leaf>("leaf", .twoWay("size", \.size))
}

private final class Fruit: ViewModel {
  let size = Observable("ripe")
  let eat = Observer<Void>()
  static let surface = Surface<Fruit>("fruit", .value("size", \.size), .action("eat", \.eat))
}

/// A view model that takes files.
private final class Mail: ViewModel {
  let letters: Uploads
  init(_ context: SessionContext) { letters = Uploads(context, each: .kilobytes(1)) }
  static let surface = Surface<Mail>("mail", .uploads("letters", \.letters))
}

/// Another type whose surface has the same name.
private final class OtherLeaf: ViewModel {
  let trees = KeyedList<Tree>()
  static let surface = Surface<OtherLeaf>("leaf", .list("trees", \.trees))
}

/// A view model with an address.
private final class Sought: ViewModel {
  @Observed var text = ""
  static let surface = Surface<Sought>("sought", .twoWay("text", \.$text).inAddress())
}

/// A view model of methods.
private final class Adder: ViewModel {
  @Observed var count = 0
  func double(_ number: Int) -> Int { number &* 2 }
  func add(_ number: Int, _ isTwice: Bool) { count &+= isTwice ? 2 &* number : number }
  func reset() { count = 0 }
  static let surface = Surface<Adder>(
    "adder", .value("count", \.$count), .action("double", Adder.double),
    .action("add", Adder.add, takes: "number", "isTwice"), .action("reset", Adder.reset))
}

/// A view model that is opened with parameters, of which some may be needed.
private final class Shelf<Params: Codable & JSONRepresentable & Sendable>: ViewModel {
  static var surface: Surface<Shelf> { Surface<Shelf>("shelf", .params(Params.self)) }
}

private struct ShelfName: Codable, JSONRepresentable, Sendable { var shelf: String }
private struct Shelving: Codable, JSONRepresentable, Sendable { var shelf: String? }

@Suite(.timeLimit(.minutes(30))) struct `The OpenAPI description` {
  private let document: JSON

  init() throws {
    let sought = HostedModelType.hosting(at: "/sought") { Sought() }
    document = try Self.read(
      Tree.surface.description, OtherLeaf.surface.description, sought.description, Mail.surface.description)
  }

  private static func read(_ surfaces: SurfaceDescription...) throws -> JSON {
    // The strict reader refuses a name that comes twice.
    try JSONReader.read(OpenAPIDocument(surfaces, RouteTable.all).json, limits: .init(depth: 100, nodes: .max))
  }

  @Test func `has every route of the table but files`() {
    let ids = operations(of: document).compactMap { $0["operationId"]?.text }
    #expect(Set(ids).count == ids.count)
    for route in RouteTable.all.routes where route.path != RouteTable.file && route.name != "cancel" {
      #expect(
        ids.contains { id in
          id == route.name || id == "tree.\(route.name)" || id == "sought.\(route.name)"
            || id.hasPrefix("tree.\(route.name).") || id.hasPrefix("mail.\(route.name).")
        },
        "\(route.name)")
    }
  }

  @Test func `has the result of an action, and the values of one that takes several`() throws {
    let document = try Self.read(Adder.surface.description)
    let schemas = document["components"]?["schemas"]
    #expect(schemas?["AdderDoublePatchOutcome"]?["properties"]?["result"] == Int.jsonSchema.json)
    #expect(schemas?["AdderPatchOutcome"]?["properties"]?["result"] == ["type": "null"])
    let post = document["paths"]?["/sessions/adder/{id}/actions/add"]?["post"]
    #expect(followed(followed(body(post), in: document), in: document)?["required"] == ["number", "isTwice"])
  }

  @Test func `says whether a session is opened with parameters only`() throws {
    for (surface, isNeeded) in [
      (Shelf<ShelfName>.surface.description, true), (Shelf<Shelving>.surface.description, false),
    ] {
      let document = try Self.read(surface)
      let post = document["paths"]?["/sessions/shelf"]?["post"]
      #expect(post?["requestBody"]?["required"] == .bool(isNeeded))
      let opening = followed(body(post), in: document)
      #expect(opening?["required"] == (isNeeded ? ["params"] : []))
      let params = opening?["properties"]?["params"].flatMap { followed($0, in: document) }
      #expect(params?["additionalProperties"] == false)
    }
  }

  @Test func `says of a room that it is one, and has an invitation where clients may be invited alone`() throws {
    for (scope, properties) in [
      (.client, ["auth", "client", "params"]), (.room, ["auth", "client", "params"]),
      (.room.orInvited, ["auth", "client", "invitation", "params"]),
    ] as [(SessionScope, [String])] {
      let hosted = HostedModelType.hosting(scope: scope) { Leaf() }
      let document = try Self.read(hosted.description)
      let path = "/sessions/\(hosted.description.name)"
      let opening = followed(body(document["paths"]?[path]?["post"]), in: document)
      #expect(members(opening?["properties"] ?? .null).sorted() == properties)
      let told = { (method: String, end: String) in document["paths"]?[path + end]?[method]?["summary"] }
      let isRoom = hosted.description.owner == .room
      #expect(told("post", "") == .string(isRoom ? "Enter a room." : "Open a session."))
      #expect(told("delete", "/{id}") == .string(isRoom ? "Leave the room." : "Close the session."))
      for (method, end) in [("post", "/{id}/leaving"), ("put", "/{id}/client")] {
        #expect((told(method, end) == "Nothing is done for this.") == isRoom)
      }
    }
  }

  @Test func `has only references that lead somewhere`() {
    let references = Self.references(in: document)
    #expect(references.count > 100)
    for reference in Set(references) {
      #expect(followed(["$ref": .string(reference)]) != nil, "\(reference)")
    }
  }

  @Test func `follows a view model within itself once round, and has its state once`() {
    let schemas = document["components"]?["schemas"]
    let grown: JSON = ["anyOf": [["$ref": "#/components/schemas/TreeState"], ["type": "null"]]]
    #expect(schemas?["TreeState"]?["properties"]?["grown"] == grown)
    let paths = members(document["paths"])
    #expect(paths.contains("/sessions/tree/{id}/state/grown"))
    #expect(!paths.contains("/sessions/tree/{id}/state/grown/text"))
    #expect(paths.contains("/sessions/leaf/{id}/state/trees/items/{key}/mixed/items/{key2}/size"))
  }

  @Test func `tells two types of one name apart`() {
    let names = members(document["components"]?["schemas"])
    #expect(names.contains("LeafState") && names.contains("LeafState2") && !names.contains("LeafState3"))
  }

  @Test func `has rows by their kind, and the type of one kind at a path that several have`() {
    let row: JSON = [
      "title": "TreeMixedRow",
      "oneOf": [["$ref": "#/components/schemas/LeafRow"], ["$ref": "#/components/schemas/FruitRow"]],
      "discriminator": [
        "propertyName": "kind",
        "mapping": ["leaf": "#/components/schemas/LeafRow", "fruit": "#/components/schemas/FruitRow"],
      ],
    ]
    let schemas = document["components"]?["schemas"]
    let mixed = followed(schemas?["TreeState"]?["properties"]?["mixed"])
    let rows = followed(mixed?["properties"]?["items"])
    #expect(followed(rows?["additionalProperties"]) == row)
    #expect(schemas?["LeafRow"]?["properties"]?["kind"] == ["const": "leaf"])
    let size = document["paths"]?["/sessions/tree/{id}/state/mixed/items/{key}/size"]
    #expect(body(size?["put"]) == Int.jsonSchema.json)
    let shown = followed(size?["get"]?["responses"]?["200"]?["content"]?["application/json"]?["schema"])
    #expect(shown?["title"] == "TreeMixedRowSizeValue")
    #expect(shown?["anyOf"]?[1] == ["title": "TreeMixedRowSizeValueText", "type": "string"])
    // The fruit's `size` is read-only.
    let answers = members(size?["put"]?["responses"])
    #expect(answers.contains("403"))
  }

  @Test func `has the window of a list as a value that can be set`() {
    let put = document["paths"]?["/sessions/tree/{id}/state/leaves/window"]?["put"]
    #expect(followed(body(put)) == ListWindow.jsonSchema.json)
    let list = followed(document["components"]?["schemas"]?["TreeState"]?["properties"]?["leaves"])
    #expect(list?["required"] == ["count", "window", "order", "items"])
  }

  @Test func `has a secret that is absent or empty, and is put`() throws {
    let document = try Self.read(Counter.surface.description)
    let state = document["components"]?["schemas"]?["CounterState"]
    #expect(state?["properties"]?["key"]?["const"] == "")
    #expect(state?["required"] == ["count", "label", "isOpen"])
    let key = document["paths"]?["/sessions/counter/{id}/state/key"]
    #expect(key?["get"] == nil && body(key?["put"])?["writeOnly"] == true)
  }

  @Test func `names as problems only what an action can meet`() throws {
    let document = try Self.read(Counter.surface.description)
    let (add, reset) = ("/sessions/counter/{id}/actions/add", "/sessions/counter/{id}/actions/reset")
    let conflict = { (path: String) in document["paths"]?[path]?["post"]?["responses"]?["409"]?["$ref"] }
    #expect(conflict(add) == "#/components/responses/out-of-order")
    #expect(conflict(reset) == "#/components/responses/action-disabled.out-of-order")
    #expect(document["paths"]?[reset]?["post"]?["requestBody"] == nil)
    #expect(document["paths"]?[reset]?["delete"] == nil)
  }

  @Test func `is the same bytes from every server with the same view models, and has a tag`() throws {
    let models: [HostedModelType] = [.hosting { Counter() }, .hosting { try Broken() }]
    let first = try TestServer(models).client().request("GET", "/openapi.json")
    let client = try TestServer(models.reversed()).client()
    let second = try client.request("GET", "/openapi.json")
    #expect((first.status, first["Content-Type"]) == (200, "application/json"))
    #expect(first.body == second.body && first["ETag"] == second["ETag"])
    let tag = try #require(first["ETag"])
    #expect(try client.request("GET", "/openapi.json", fields: [("If-None-Match", tag)]).status == 304)
  }

  @Test func `for one view model has its paths, the schemas that these need, and nothing of the others`() throws {
    let text = OpenAPIDocument(of: Counter.surface.description, .all).json
    let document = try JSONReader.read(text, limits: .init(depth: 100, nodes: .max))
    let paths = members(document["paths"])
    #expect(paths.contains("/sessions/counter/{id}/actions/add"))
    #expect(paths.allSatisfy { $0.hasPrefix("/sessions/counter") })
    let schemas = members(document["components"]?["schemas"])
    #expect(schemas.contains("CounterState") && schemas.contains("Problem"))
    #expect(!schemas.contains("ModelNames"), "no path of it leads there")
    let parameters = members(document["components"]?["parameters"])
    #expect(parameters.contains("id") && !parameters.contains("modelName"))
    let whole = try Self.read(Tree.surface.description, Counter.surface.description)
    for path in paths { #expect(document["paths"]?[path] == whole["paths"]?[path], "\(path)") }
  }

  @Test func `for one view model is fetched by its name, with a tag`() throws {
    let client = try TestServer([.hosting { Counter() }, .hosting { try Broken() }]).client()
    let own = try client.request("GET", "/models/counter/openapi.json")
    #expect((own.status, own["Content-Type"], own["Cache-Control"]) == (200, "application/json", "no-cache"))
    #expect(own.json?["info"]?["title"] == "Euripus: counter")
    let tag = try #require(own["ETag"])
    let again = try client.request("GET", "/models/counter/openapi.json", fields: [("If-None-Match", tag)])
    #expect(again.status == 304)
    let other = try client.request("GET", "/models/broken/openapi.json")
    #expect(other.status == 200 && other["ETag"] != tag)
    let none = try client.request("GET", "/models/meter/openapi.json")
    #expect(none.status == 404)
    #expect(none.json?["detail"] == "no view model 'meter'; expected one of: broken, counter")
    // As it was sent.
    for (method, path) in [("GET", "/models/m%65t%C3%A9r/openapi.json"), ("POST", "/sessions/m%65t%C3%A9r")] {
      let detail = try client.request(method, path).json?["detail"]
      #expect(detail == "no view model 'm%65t%C3%A9r'; expected one of: broken, counter")
    }
    #expect(try client.request("GET", "/models/counter").status == 404)
  }

  // MARK: Looking into it

  /// The component that a reference leads to; a schema that is no reference is left as it is.
  private func followed(_ schema: JSON?, in other: JSON? = nil) -> JSON? {
    guard case .string(let reference)? = schema?["$ref"] else { return schema }
    return JSONPointer(String(reference.dropFirst()))?.tokens.reduce(other ?? document) { $0?[$1] }
  }

  private func operations(of document: JSON) -> [JSON] {
    guard case .object(let paths)? = document["paths"] else { return [] }
    return paths.flatMap { path in
      RequestMethod.allCases.compactMap { path.value[$0.rawValue.lowercased()] }
    }
  }

  private func body(_ operation: JSON?) -> JSON? {
    operation?["requestBody"]?["content"]?["application/json"]?["schema"]
  }

  private func members(_ json: JSON?) -> [String] {
    guard case .object(let members)? = json else { return [] }
    return members.map(\.name)
  }

  private static func references(in json: JSON) -> [String] {
    switch json {
    case .array(let elements): elements.flatMap(references)
    case .object(let members):
      members.flatMap { member in
        if member.name == "$ref", case .string(let text) = member.value { return [text] }
        return references(in: member.value)
      }
    default: []
    }
  }
}
