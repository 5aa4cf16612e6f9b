// SPDX-License-Identifier: MIT

/// The cookies of a client, each by its name, as the field `Cookie` has them: `euripus-8080=x; sid=y`.
struct TestCookies {
  private var pairs: [(name: Substring, text: String)]

  init(_ text: String?) {
    pairs = (text ?? "").split(separator: ";").map { pair in
      let text = String(pair.drop { $0 == " " })
      return (Self.name(of: text), text)
    }
  }

  /// `nil` if there is none.
  var text: String? { pairs.isEmpty ? nil : pairs.map(\.text).joined(separator: "; ") }

  /// Does what a field `Set-Cookie` says. One whose value is empty, or whose `Max-Age` is over, is dropped.
  mutating func set(_ field: String) {
    let parts = field.split(separator: ";").map { $0.drop { $0 == " " } }
    guard let first = parts.first else { return }
    let text = String(first)
    let name = Self.name(of: text)
    pairs.removeAll { $0.name == name }
    let isOver = parts.dropFirst().contains { part in
      part.lowercased().hasPrefix("max-age=") && Int(part.dropFirst("max-age=".count)).map { $0 <= 0 } == true
    }
    if !isOver, text.utf8.count > name.utf8.count + 1 { pairs.append((name, text)) }
  }

  /// Names the server's own by another port.
  mutating func rename(for port: UInt16) {
    pairs = pairs.map { pair in
      guard pair.name.hasPrefix("euripus-") else { return pair }
      let name = "euripus-\(port)"
      return (name[...], name + pair.text.dropFirst(pair.name.count))
    }
  }

  private static func name(of pair: String) -> Substring { pair.prefix { $0 != "=" } }
}
