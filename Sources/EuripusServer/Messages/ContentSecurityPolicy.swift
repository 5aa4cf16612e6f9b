// SPDX-License-Identifier: MIT

/// The directives that say what a page of this server may load and do in a browser (Content Security Policy
/// Level 3).
///
/// The default is ``strict``. A directive is changed by its name:
///
/// ```swift
/// configuration.contentSecurityPolicy["img-src"] = "'self' data: https://images.example"
/// configuration.contentSecurityPolicy["trusted-types"] = nil
/// ```
public struct ContentSecurityPolicy: Sendable, Equatable, ExpressibleByStringLiteral {
  /// The whole policy, as in the field `Content-Security-Policy`. If it has no directive, there is no such
  /// field.
  public var text: String

  /// - Parameter text: the directives, each with its values, and semicolons between them.
  public init(_ text: String) { self.text = text }
  public init(stringLiteral text: String) { self.init(text) }

  /// Allows scripts, styles, pictures and connections of this server alone. Forbids inline code, frames, and
  /// text that becomes markup.
  public static let strict = ContentSecurityPolicy(
    """
    default-src 'none'; script-src 'self'; connect-src 'self'; style-src 'self'; img-src 'self'; base-uri 'none'; \
    form-action 'self'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'
    """)

  /// The values of a directive; `nil` if it is absent. Setting a value replaces the directive, or adds it at
  /// the end. Setting `nil` removes it. O(directives).
  public subscript(directive: String) -> String? {
    get { directives.first { $0.name == directive }?.values }
    set {
      var all = directives
      let place = all.firstIndex { $0.name == directive }
      all.removeAll { $0.name == directive }
      if let newValue { all.insert((directive, newValue), at: place ?? all.endIndex) }
      text = all.map { $0.values.isEmpty ? $0.name : "\($0.name) \($0.values)" }.joined(separator: "; ")
    }
  }

  private var directives: [(name: String, values: String)] {
    text.split(separator: ";").map(\.trimmed).filter { !$0.isEmpty }.map { directive in
      let name = directive.prefix { $0 != " " }
      return (String(name), String(directive[name.endIndex...].trimmed))
    }
  }

  /// The longest policy in bytes. It is sent with every page.
  static let mostBytes = 2_048

  /// The fault of a policy that cannot be sent, or that browsers would read in another way than it looks; `nil`
  /// for none.
  var fault: String? {
    if text.utf8.count > Self.mostBytes { return "it has \(text.utf8.count) bytes; expected \(Self.mostBytes) at most" }
    // A comma begins another policy, which would bind a page too.
    if text.utf8.contains(where: { $0 < 0x20 || $0 >= 0x7F || $0 == UInt8(ascii: ",") }) {
      return "expected ASCII without control characters and commas"
    }
    var known: Set<String> = []
    for name in directives.map(\.name) {
      let isName = name.utf8.allSatisfy { UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 || $0 == UInt8(ascii: "-") }
      guard isName else {
        return "'\(name)' is no directive; expected a name such as img-src, with a semicolon before it"
      }
      guard known.insert(name).inserted else {
        return "the directive '\(name)' is there twice; browsers take the first"
      }
    }
    return nil
  }
}
