// SPDX-License-Identifier: MIT
import JSONPatching
import Testing

@testable import EuripusOpenAPI

@Suite struct `The schemas of a description` {
  private func placed(_ schemas: (JSONSchema, String)...) -> (used: [JSON], shelf: JSON) {
    var shelf = SchemaShelf()
    let used = schemas.map { shelf.place($0, named: $1).json }
    return (used, .object(shelf.all))
  }

  private func reference(_ name: String) -> JSON { ["$ref": .string("#/components/schemas/\(name)")] }

  @Test func `have each object and enumeration once, under the name of its place`() {
    let point = JSONSchema.object([("x", .number), ("mark", .string(oneOf: ["dot", "cross"]))])
    let (used, shelf) = placed((.array(of: point), "Path"), (.array(of: point), "Path"), (.string, "Plain"))
    let array: JSON = ["type": "array", "items": reference("PathItem")]
    #expect(used == [array, array, ["type": "string"]])
    #expect(
      shelf == [
        "PathItemMark": ["title": "PathItemMark", "type": "string", "enum": ["dot", "cross"]],
        "PathItem": [
          "title": "PathItem", "type": "object",
          "properties": ["x": ["type": "number"], "mark": reference("PathItemMark")],
          "required": ["x", "mark"], "additionalProperties": false,
        ],
      ])
  }

  @Test func `have the title of a type as their name, wherever that is used`() {
    let point = JSONSchema.object([("x", .number)]).titled("map point")
    let (used, shelf) = placed((point, "Begin"), (point.orNull, "End"), (.dictionary(of: point), "All"))
    #expect(used == [reference("MapPoint"), ["anyOf": [reference("MapPoint"), ["type": "null"]]], reference("All")])
    #expect(shelf["MapPoint"]?["title"] == "MapPoint")
    #expect(shelf["All"]?["additionalProperties"] == reference("MapPoint"))
  }

  @Test func `have the name of their place where another one has their title, and at last a number`() {
    let (one, two) = (JSONSchema.object([("a", .null)]).titled("T"), JSONSchema.object([("b", .null)]).titled("T"))
    let three = JSONSchema.object([("c", .null)]).titled("T")
    let (used, _) = placed((one, "A"), (two, "B"), (three, "B"), (three, "B"), (one, "C"))
    #expect(used == ["T", "B", "B2", "B2", "T"].map(reference))
  }

  @Test func `have a title for each variant of a union`() throws {
    let union = JSONSchema.any(of: [.integer(oneOf: [1]), .string, .array(of: .null), .any, .object([]), .null])
    let (used, shelf) = placed((union, "Value"))
    #expect(used == [reference("Value")])
    let variants = try #require(shelf["Value"]?["anyOf"])
    #expect(variants[0] == reference("ValueInteger") && variants[4] == reference("ValueObject"))
    #expect(variants[1] == ["title": "ValueText", "type": "string"])
    #expect(variants[2]?["title"] == "ValueList" && variants[3] == ["title": "ValueValue"])
    #expect(variants[5] == ["type": "null"])
  }

  @Test func `with references within themselves are left whole`() {
    let own = JSONSchema(["$id": "urn:own", "type": "object", "properties": ["x": ["type": "object"]]])
    let (used, shelf) = placed((own, "Own"))
    #expect(used == [reference("Own")])
    #expect(shelf["Own"]?["properties"] == ["x": ["type": "object"]])
  }

  @Test(arguments: [
    ("items/{key}/name", "RowName"), ("a/items/{key}/items/items/{key2}", "ARowItemsRow"),
    ("my-list/window", "MyListWindow"),
    ("items", "Items"), ("snake_case/x9", "SnakeCaseX9"),
  ])
  func `are named after paths without keys`(path: String, name: String) {
    #expect(SchemaName.of(path: path) == name)
  }
}
