// SPDX-License-Identifier: MIT

/// The labels of one series, in the order of their names, in the form that they have between the braces of a
/// line.
struct MetricLabels: Hashable, Comparable, Sendable {
  /// The labels without the braces; empty for a series without labels.
  let text: String

  /// Makes labels. Names are mended to `[a-zA-Z_][a-zA-Z0-9_]*`. Of two labels with one name, the last counts.
  init(_ labels: [(String, String)]) {
    var byName: [String: String] = [:]
    for (name, value) in labels { byName[Self.name(name)] = value }
    text = byName.sorted { $0.key < $1.key }.map { "\($0.key)=\"\(Self.escaped($0.value))\"" }.joined(separator: ",")
  }

  static func < (left: MetricLabels, right: MetricLabels) -> Bool { left.text < right.text }

  /// The text that follows the name of a metric, with one more label at the end.
  func suffix(_ more: String = "") -> String {
    let all = text.isEmpty || more.isEmpty ? text + more : "\(text),\(more)"
    return all.isEmpty ? "" : "{\(all)}"
  }

  private static func name(_ text: String) -> String { MetricName.mended(text, colons: false) }

  /// Escapes a value. It may have any character; three of them have an escape (exposition format 0.0.4).
  private static func escaped(_ text: String) -> String {
    text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n")
  }
}

/// The names that Prometheus takes.
enum MetricName {
  /// Replaces all characters but letters, digits and underscores by underscores. The name of a metric may have
  /// colons too.
  static func mended(_ text: String, colons: Bool = true) -> String {
    var name = ""
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"):
        name.unicodeScalars.append(Unicode.Scalar(byte))
      case UInt8(ascii: ":") where colons: name += ":"
      case UInt8(ascii: "0")...UInt8(ascii: "9"):
        if name.isEmpty { name = "_" }
        name.unicodeScalars.append(Unicode.Scalar(byte))
      default: name += "_"
      }
    }
    return name.isEmpty ? "_" : name
  }
}
