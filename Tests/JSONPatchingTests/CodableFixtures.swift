// SPDX-License-Identifier: MIT
import JSONPatching

/// Types of an app. The words `Codable, JSONRepresentable` are all that they need.

struct Card: Codable, Equatable, JSONRepresentable {
  var title: String
  var votes = 0
  var note: String?
  var colour: Colour
  var labels: [Label] = []
}

/// A type within others that says nothing of JSON.
struct Label: Codable, Hashable {
  var text: String
  var weight: Double
}

enum Colour: String, Codable, CaseIterable, JSONRepresentable { case red, blue }

enum Size: Int, Codable, CaseIterable { case small = 1, large = 10 }

enum Direction: Codable, CaseIterable { case up, down }

enum Shape: Codable, Equatable {
  case circle(radius: Int)
  case none
}

struct Board: Codable, Equatable, JSONRepresentable {
  var cards: [Card]
  var sizes: [Size] = []
  var weights: [String: Double] = [:]
  var byNumber: [Int: String] = [:]
  var labels: Set<Label> = []
  var shape = Shape.none
  var directions: [Direction?] = []
  var range = 0...1
  var bytes: [UInt8] = []
  var ratio: Float = 0
  var count: UInt64 = 0
}

/// An object with a value of any type in it.
struct Holder<Value: Codable & Equatable>: Codable, Equatable, JSONRepresentable {
  var value: Value
}

/// A type with values of its own type in it.
struct Tree: Codable, Equatable, JSONRepresentable {
  var name: String
  var children: [Tree] = []
}

/// An amount that says its JSON: a text.
struct Amount: Codable, Equatable, JSONRepresentable {
  var cents: Int

  static let jsonTypeName = "amount such as 3.50"
  static var jsonSchema: JSONSchema {
    JSONSchema(["type": "string", "pattern": "^[0-9]+[.][0-9]{2}$"]).examples("3.50")
  }

  init(cents: Int) { self.cents = cents }

  init(json: JSON) throws(JSONMismatch) {
    guard case .string(let text) = json else { throw JSONMismatch(expected: Self.jsonTypeName, found: json) }
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 2, parts[1].utf8.count == 2, let units = UInt16(parts[0]), let cents = UInt8(parts[1]) else {
      throw JSONMismatch(expected: Self.jsonTypeName, found: "another string")
    }
    self.cents = Int(units) * 100 + Int(cents)
  }

  func write(to writer: inout JSONWriter) {
    writer.string("\(cents / 100).\(cents % 100 < 10 ? "0" : "")\(cents % 100)")
  }
}

struct Order: Codable, Equatable, JSONRepresentable {
  var item: String
  var price: Amount
  var discount: Amount?
}

/// A type whose `init(from:)` refuses values that its members allow.
struct Span: Codable, Equatable, JSONRepresentable {
  var from, to: Int

  init(from: Int, to: Int) { (self.from, self.to) = (from, to) }

  init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    from = try values.decode(Int.self, forKey: .from)
    to = try values.decode(Int.self, forKey: .to)
    guard from < to else {
      throw JSONMismatch(expected: "a number beyond 'from'", found: "another").nested(under: "to")
    }
  }
}

/// A class, and a class that inherits from it, whose inherited part lies under "super".
class Animal: Codable {
  var name: String
  init(name: String) { self.name = name }
}

final class Dog: Animal, JSONRepresentable {
  var age: Int

  init(name: String, age: Int) {
    self.age = age
    super.init(name: name)
  }

  private enum Key: CodingKey { case age, tricks, first }

  required init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: Key.self)
    age = try values.decode(Int.self, forKey: .age)
    var tricks = try values.nestedUnkeyedContainer(forKey: .tricks)
    let trick = try tricks.nestedContainer(keyedBy: Key.self)
    _ = try trick.decode(String.self, forKey: .first)
    try super.init(from: try values.superDecoder())
  }

  override func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: Key.self)
    // It is filled after other containers that were begun later.
    var tricks = values.nestedUnkeyedContainer(forKey: .tricks)
    try super.encode(to: values.superEncoder())
    try values.encode(age, forKey: .age)
    var trick = tricks.nestedContainer(keyedBy: Key.self)
    try trick.encode("sit", forKey: .first)
  }
}
