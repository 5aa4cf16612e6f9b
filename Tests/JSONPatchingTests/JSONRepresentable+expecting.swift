// SPDX-License-Identifier: MIT
import JSONPatching
import Testing

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
