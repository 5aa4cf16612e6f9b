// SPDX-License-Identifier: MIT
import JSONPatching
import Recording
import Testing

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

/// The offset at which a text is refused; `nil` if it is read.
func offset(_ bytes: some Sequence<UInt8>) -> Int? {
  do {
    _ = try read(Array(bytes))
    return nil
  } catch { return error.offset }
}

func written(_ value: JSON) -> String {
  var writer = JSONWriter()
  writer.json(value)
  return String(decoding: writer.bytes, as: UTF8.self)
}

func written(_ value: some JSONRepresentable) -> String {
  var writer = JSONWriter()
  value.write(to: &writer)
  return String(decoding: writer.bytes, as: UTF8.self)
}

/// Expects a value to be written as `text`, and the same value to be read from that.
func expectRoundTrip<Value: JSONRepresentable & Equatable>(_ value: Value, _ text: String) throws {
  #expect(written(value) == text)
  #expect(try Value(json: read(text)) == value)
}

/// Expects `text` to be refused with these words.
func expectMismatch<Value: JSONRepresentable>(_ type: Value.Type, _ text: String, _ description: String) {
  let error = #expect(throws: JSONMismatch.self) { _ = try Value(json: read(text)) }
  #expect(error?.description == description)
}

/// The payloads, each nil if the value is of another case.
extension JSON {
  var integer: Int64? { if case .integer(let integer) = self { integer } else { nil } }
  var number: Double? { if case .number(let number) = self { number } else { nil } }
  var string: String? { if case .string(let string) = self { string } else { nil } }
  var members: [Member]? { if case .object(let members) = self { members } else { nil } }
}
