// SPDX-License-Identifier: MIT
import JSONPatching

/// JSON as the tests spell it.

func read(_ text: String) throws(JSONError) -> JSON { try JSONReader.read(Array(text.utf8)) }

func written(_ value: JSON) -> String {
  var writer = JSONWriter()
  writer.json(value)
  return String(decoding: writer.bytes, as: UTF8.self)
}

/// The payload, or nil where the value is of another case.
extension JSON {
  var integer: Int64? {
    guard case .integer(let integer) = self else { return nil }
    return integer
  }

  var number: Double? {
    guard case .number(let number) = self else { return nil }
    return number
  }

  var string: String? {
    guard case .string(let string) = self else { return nil }
    return string
  }

  static func object(_ members: KeyValuePairs<String, JSON>) -> JSON {
    .object(members.map { Member(name: $0.key, value: $0.value) })
  }

  var members: [Member]? {
    guard case .object(let members) = self else { return nil }
    return members
  }
}
