// SPDX-License-Identifier: MIT
import JSONPatching
import Testing

func written(_ value: some JSONRepresentable) -> String {
  var writer = JSONWriter()
  value.write(to: &writer)
  return String(decoding: writer.bytes, as: UTF8.self)
}

/// Wants a value to be written as `text`, and read back from it.
func expectRoundTrip<Value: JSONRepresentable & Equatable>(_ value: Value, _ text: String) throws {
  #expect(written(value) == text)
  #expect(try Value(json: read(text)) == value)
}

/// Wants `text` to be refused with these words.
func expectMismatch<Value: JSONRepresentable>(_ type: Value.Type, _ text: String, _ description: String) {
  let error = #expect(throws: JSONMismatch.self) { _ = try Value(json: read(text)) }
  #expect(error?.description == description)
}
