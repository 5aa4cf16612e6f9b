// SPDX-License-Identifier: MIT

/// Names of files, as people read them.
enum FileName {
  private static let longest = 255

  /// The last part of a name, without control characters, as long as a name of a file may be. It may be empty.
  static func cleaned(_ name: String) -> String {
    let last = name.split(whereSeparator: { $0 == "/" || $0 == "\\" }).last ?? ""
    let scalars = last.unicodeScalars.filter { !isControl($0) }.prefix(longest)
    var cleaned = String(String.UnicodeScalarView(scalars))
    while cleaned.utf8.count > longest { cleaned.removeLast() }
    return cleaned == "." || cleaned == ".." ? "" : cleaned
  }

  /// Whether it is a control character, or one that turns the direction of a text.
  static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.generalCategory == .control || scalar.properties.isBidiControl
  }
}
