// SPDX-License-Identifier: MIT
import EuripusServer

/// A piece of HTML as a value. Its texts and the values of its attributes are escaped as it is printed.
indirect enum Markup: Equatable, Sendable {
  struct Attribute: Equatable, Sendable {
    let name: String
    /// Empty for an attribute that stands alone, such as `hidden`.
    let value: String
  }

  case text(String)
  case comment(String)
  case element(String, [Attribute], [Markup])

  /// An element, without those of the attributes that are `nil`.
  static func tag(
    _ name: String, _ attributes: KeyValuePairs<String, String?> = [:], _ content: [Markup] = []
  ) -> Markup {
    .element(name, attributes.compactMap { name, value in value.map { Attribute(name: name, value: $0) } }, content)
  }

  /// An element with a text.
  static func tag(_ name: String, _ attributes: KeyValuePairs<String, String?> = [:], _ text: String) -> Markup {
    tag(name, attributes, [.text(text)])
  }

  /// The same element with more attributes behind its own.
  func with(_ attributes: KeyValuePairs<String, String?>) -> Markup {
    with(attributes.compactMap { name, value in value.map { Attribute(name: name, value: $0) } })
  }

  func with(_ attributes: [Attribute]) -> Markup {
    guard case .element(let name, let own, let content) = self else { return self }
    return .element(name, own + attributes, content)
  }
}

extension Markup {
  private static let longestLine = 120
  /// Elements whose content is not indented.
  private static let outermost: Set = ["html", "head", "body"]
  private static let void: Set = ["input", "link", "meta"]
  private static let inline: Set = ["a", "b", "button", "code", "json-value", "option", "q", "small", "span", "strong"]
  /// Elements whose white space counts.
  private static let whole: Set = ["textarea", "title"]

  /// The HTML, with a line's end behind it.
  ///
  /// - Parameter depth: the number of levels by which it is indented.
  func printed(depth: Int = 0) -> String {
    let indent = String(repeating: "  ", count: depth)
    let line = indent + onOneLine + "\n"
    guard case .element(let name, let attributes, let content) = self else {
      return onOneLine.allSatisfy(\.isWhitespace)
        ? "" : indent + onOneLine.split(separator: " ").joined(separator: " ") + "\n"
    }
    let isShort = line.count <= Self.longestLine + 1
    if isShort, content.allSatisfy(\.isInline) || Self.whole.contains(name) { return line }
    let start = Self.start(name, attributes)
    let broken = Self.broken(name, attributes, indent)
    if Self.whole.contains(name) || Self.void.contains(name) || content.isEmpty {
      return indent + broken + onOneLine.dropFirst(start.count) + "\n"
    }
    let inner = Self.outermost.contains(name) ? depth : depth + 1
    return indent + broken + "\n" + content.map { $0.printed(depth: inner) }.joined() + "\(indent)</\(name)>\n"
  }

  private var isInline: Bool {
    switch self {
    case .text: true
    case .comment: false
    case .element(let name, _, let content):
      Self.inline.contains(name) && (name != "option") && content.allSatisfy(\.isInline)
        || name == "input"
    }
  }

  private var onOneLine: String {
    switch self {
    case .text(let text): HTMLPage.escaped(text)
    case .comment(let text): "<!-- \(text.replacing("--", with: "- -")) -->"
    case .element(let name, let attributes, let content):
      Self.start(name, attributes)
        + (Self.void.contains(name) ? "" : content.map(\.onOneLine).joined() + "</\(name)>")
    }
  }

  private static func start(_ name: String, _ attributes: [Attribute]) -> String {
    "<\(([name] + attributes.map(\.text)).joined(separator: " "))>"
  }

  /// The same with as many lines as its attributes need.
  private static func broken(_ name: String, _ attributes: [Attribute], _ indent: String) -> String {
    var lines = ["<\(name)"]
    for attribute in attributes.map(\.text) {
      if indent.count + lines[lines.count - 1].count + 1 + attribute.count < longestLine {
        lines[lines.count - 1] += " " + attribute
      } else {
        lines.append("  " + attribute)
      }
    }
    return lines.joined(separator: "\n\(indent)  ") + ">"
  }
}

extension Markup.Attribute {
  fileprivate var text: String {
    value.isEmpty && name != "value" ? name : "\(name)=\"\(HTMLPage.escaped(value))\""
  }
}
