// SPDX-License-Identifier: MIT
import Euripus

/// A text that is not long, so that many of them make no large state. A longer one is refused where a client writes it.
struct ShortText: Equatable, JSONRepresentable {
  /// The greatest length in Unicode scalars, as a JSON Schema counts them: a letter may have any number of marks.
  static let longest = 300
  static let jsonTypeName = "string of at most \(longest) characters"
  static let jsonSchema = JSONSchema(["type": "string", "maxLength": .integer(Int64(longest))])

  let text: String

  /// The text, as far as it is not too long.
  init(_ text: String) { self.text = String(text.unicodeScalars.prefix(Self.longest)) }

  init(json: JSON) throws(JSONMismatch) {
    guard case .string(let text) = json else { throw JSONMismatch(expected: Self.jsonTypeName, found: json) }
    let count = text.unicodeScalars.count
    guard count <= Self.longest else { throw JSONMismatch(expected: Self.jsonTypeName, found: "one of \(count)") }
    self.text = text
  }

  func write(to writer: inout JSONWriter) { writer.string(text) }
}

extension Observable<String> {
  /// Keeps the text short: what a longer one has beyond ``ShortText/longest`` is dropped. A value that must be a plain
  /// text, as a secret must, cannot refuse it.
  ///
  /// - Returns: the observable itself.
  @discardableResult
  func keptShort() -> Observable<String> {
    Observer<String>(self) { text, value in
      // A text of fewer bytes has no more characters.
      if value.utf8.count > ShortText.longest { text.value = ShortText(value).text }
    }.subscribe(self)
    return self
  }
}
