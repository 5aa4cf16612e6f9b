// SPDX-License-Identifier: MIT
import JSONPatching
import Recording

/// Reading and writing of JSON as the tests spell it.

func read(_ text: String) throws(JSONError) -> JSON { try read(Array(text.utf8)) }

/// Reads a text; with a recording, the referee's reader gets it too.
func read(_ bytes: [UInt8], limits: JSONLimits = .init()) throws(JSONError) -> JSON {
  let recorder = bytes.count <= 65_536 ? Recorder.current : nil
  do {
    let value = try JSONReader.read(bytes, limits: limits)
    recorder?.reading(of: bytes, value)
    return value
  } catch {
    recorder?.reading(of: bytes, nil)
    throw error
  }
}

func written(_ value: JSON) -> String {
  var writer = JSONWriter()
  writer.json(value)
  return String(decoding: writer.bytes, as: UTF8.self)
}

/// The payloads, each nil if the value is of another case.
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
