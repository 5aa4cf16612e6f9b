// SPDX-License-Identifier: MIT

/// Names and values in the form that pages send (WHATWG URL, "application/x-www-form-urlencoded").
enum FormText {
  /// The names and values, in order; `nil` if a `%` lacks its two hexadecimal digits, or if a text is not
  /// UTF-8.
  static func items(_ bytes: ArraySlice<UInt8>) -> [(name: String, value: String)]? {
    var items: [(name: String, value: String)] = []
    for pair in bytes.split(separator: UInt8(ascii: "&")) {
      let name = pair.prefix { $0 != UInt8(ascii: "=") }
      guard let decoded = decoded(name), let value = self.decoded(pair[name.endIndex...].dropFirst()) else {
        return nil
      }
      items.append((decoded, value))
    }
    return items
  }

  private static func decoded(_ text: ArraySlice<UInt8>) -> String? {
    let spaced = text.map { $0 == UInt8(ascii: "+") ? UInt8(ascii: " ") : $0 }
    return RequestTarget.percentDecoded(spaced[...]).flatMap(RequestTarget.text)
  }
}
