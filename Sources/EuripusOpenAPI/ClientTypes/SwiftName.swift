// SPDX-License-Identifier: MIT
import JSONPatching

/// Names that are valid in Swift, made from names on the wire.
enum SwiftName {
  private static let keywords: Set<String> = [
    "Any", "as", "associatedtype", "break", "case", "catch", "class", "continue", "default", "defer", "deinit", "do",
    "else",
    "enum", "extension", "fallthrough", "false", "fileprivate", "for", "func", "guard", "if", "import", "in", "init",
    "inout", "internal", "is", "let", "nil", "operator", "precedencegroup", "private", "protocol", "public", "repeat",
    "rethrows", "return", "self", "Self", "static", "struct", "subscript", "super", "switch", "throw", "throws", "true",
    "try", "typealias", "var", "where", "while",
  ]
  /// Names that a member cannot have even between backticks, or that every such class has.
  private static let taken: Set<String> = ["init", "self", "Type", "remote", "open", "_"]

  /// The name of a member, with backticks where it needs them: `isOn` for `is-on`.
  static func of(_ text: String) -> String {
    let name = plain(text)
    if taken.contains(name) { return name + "_" }
    return keywords.contains(name) ? "`\(name)`" : name
  }

  /// The names of several members or cases, no two the same.
  static func all(of texts: [String]) -> [String] {
    texts.reduce(into: []) { names, text in names.append(of(text, besides: names)) }
  }

  /// The name of a member, different from the names that are there already.
  static func of(_ text: String, besides names: some Sequence<String>) -> String {
    let names = Set(names)
    var name = of(text)
    var number = 2
    while names.contains(name) {
      name = plain(text) + "\(number)"
      number += 1
    }
    return name
  }

  /// The text that a place is named after: `itemsRowDone` for `items/items/{key}/done`.
  static func text(ofPath path: String) -> String {
    path.contains("/") ? lowered(SchemaName.of(path: path)) : path
  }

  private static func plain(_ text: String) -> String {
    let isName = text.utf8.allSatisfy { $0 < 128 } && text.wholeMatch(of: #/[A-Za-z_][A-Za-z0-9_]*/#) != nil
    if isName { return text }
    let name = lowered(SchemaName.of(text))
    return name.first.map { $0.isNumber ? "_" + name : name } ?? "value"
  }

  private static func lowered(_ name: String) -> String { name.prefix(1).lowercased() + name.dropFirst() }
}
