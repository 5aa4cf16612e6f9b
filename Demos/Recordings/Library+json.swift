// SPDX-License-Identifier: MIT
import Euripus

// The store's file is one JSON text:
// {"format":1,"next":3,"items":[{"id":"1","parent":"root","name":"Talks","length":null},
// {"id":"2","parent":"1","name":"Monday","length":65.0}]}. It is valid if and only if it has these members with
// values of these types, and all of these hold: `next` is from 1 to 2⁵², each id is a number from 1 to below it that
// comes once, and each item comes after its folder.
extension Library {
  var json: [UInt8] {
    var writer = JSONWriter()
    writer.beginObject()
    writer.key("format")
    writer.integer(1)
    writer.key("next")
    writer.integer(nextNumber)
    writer.key("items")
    all.write(to: &writer)
    writer.endObject()
    return writer.bytes
  }

  /// - Throws: the reason why the text is no library.
  init(json bytes: [UInt8]) throws {
    let json = try JSONReader.read(bytes, limits: JSONLimits(nodes: .max))
    guard let format = json["format"], let next = json["next"], let items = json["items"] else {
      throw LibraryMismatch("expected an object with 'format', 'next' and 'items'")
    }
    guard try Int(json: format) == 1 else { throw LibraryMismatch("expected format 1") }
    try self.init(next: Int(json: next), items: [LibraryItem](json: items))
  }

  private init(next: Int, items: [LibraryItem]) throws {
    // Room for as many more as anybody can make, before an Int overflows.
    guard (1...(1 << 52)).contains(next) else { throw LibraryMismatch("expected 'next' from 1 to 2⁵², got \(next)") }
    var ids: Set<String> = []
    var folders: Set<String> = [Self.root]
    for item in items {
      guard let number = Int(item.id), "\(number)" == item.id, 1..<next ~= number, ids.insert(item.id).inserted else {
        throw LibraryMismatch("expected ids from 1 to below \(next), each once; got '\(item.id)'")
      }
      guard folders.contains(item.parent) else {
        throw LibraryMismatch("expected item \(item.id) after its folder; got '\(item.parent)' as that")
      }
      if item.isFolder { folders.insert(item.id) }
    }
    self.init(nextNumber: next, items: items)
  }
}

/// The reason why a JSON text is no library.
private struct LibraryMismatch: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}

extension LibraryItem: JSONRepresentable {
  static var jsonTypeName: String { "item" }

  init(json: JSON) throws(JSONMismatch) {
    id = try String(json: json["id"] ?? .null)
    parent = try String(json: json["parent"] ?? .null)
    name = try String(json: json["name"] ?? .null)
    length = try Double?(json: json["length"] ?? .null)
    if let length, length < 0 { throw JSONMismatch(expected: "a length", found: "less than 0") }
  }

  func write(to writer: inout JSONWriter) {
    writer.beginObject()
    for (name, value) in [("id", id), ("parent", parent), ("name", name)] {
      writer.key(name)
      writer.string(value)
    }
    writer.key("length")
    length.write(to: &writer)
    writer.endObject()
  }
}
