// SPDX-License-Identifier: MIT
import JSONPatching

/// Names of schemas, of the form `LoginStateFrame`: one word of letters and digits, as classes have it in most
/// languages.
enum SchemaName {
  /// The words of a text as one name.
  static func of(_ text: some StringProtocol) -> String {
    text.split { !$0.isASCII || !($0.isLetter || $0.isNumber) }
      .map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
  }

  /// The name of a path within a state; the row that a key stands for is a `Row`.
  static func of(path: String) -> String {
    var words: [String] = []
    for segment in path.split(separator: "/") {
      if !segment.hasPrefix("{") {
        words.append(of(segment))
      } else if words.last == "Items" {
        words[words.count - 1] = "Row"
      }
    }
    return words.joined()
  }

  /// The kind of value that a schema describes: a name for one of several schemas that have no other.
  static func ofType(_ schema: JSON) -> String {
    switch schema["type"] {
    case "string": "Text"
    case "array": "List"
    case .string(let type)?: of(type)
    default: "Value"
    }
  }
}
