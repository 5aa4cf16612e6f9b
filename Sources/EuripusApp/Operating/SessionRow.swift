// SPDX-License-Identifier: MIT
import JSONPatching

/// A session, as the listener for operators describes it, for a table of 100 columns. Behind them stand the parameters, of
/// those that have some.
struct SessionRow {
  let columns: [String]

  static let titles = ["id", "model", "user", "unused", "size", "readers", "where", "params"]
  private static let widths = [22, 16, 20, 8, 9, 7, 6, 40]

  /// - Returns: `nil` for JSON that does not describe a session.
  init?(_ session: JSON) {
    guard case .string(let id)? = session["id"], case .string(let model)? = session["model"],
      case .integer(let age)? = session["age"], case .integer(let bytes)? = session["bytes"],
      case .integer(let readers)? = session["readers"], case .bool(let isStored)? = session["stored"]
    else { return nil }
    var user = "-"
    if case .string(let name)? = session["user"] { user = name }
    var params = ""
    if let given = session["params"], given != .null { params = "\(given)" }
    columns = [
      id, model, user, Self.age(age), ByteCount.short(Int(bytes)), "\(readers)", isStored ? "store" : "memory", params,
    ].map(Self.printable)
  }

  /// A line of the table.
  var line: String { Self.line(columns) }

  static func line(_ columns: [String]) -> String {
    let cells = zip(columns, widths).map { text, width in
      let text = text.count > width ? text.prefix(width - 1) + "…" : text
      return text + String(repeating: " ", count: width - text.count)
    }
    var line = cells.joined(separator: "  ")
    while line.last == " " { line.removeLast() }
    return line
  }

  /// A time in the unit that people would use.
  static func age(_ seconds: Int64) -> String {
    switch seconds {
    case ..<60: "\(seconds) s"
    case ..<3_600: "\(seconds / 60) min"
    case ..<172_800: "\(seconds / 3_600) h"
    default: "\(seconds / 86_400) days"
    }
  }

  /// A text without characters that control a terminal: the name of a user may have any.
  static func printable(_ text: String) -> String {
    String(String.UnicodeScalarView(text.unicodeScalars.map { isControl($0) ? "?" : $0 }))
  }

  private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate: true
    default: false
    }
  }
}
