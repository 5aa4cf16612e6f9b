// SPDX-License-Identifier: MIT

/// Tables of texts, as spreadsheets and programs read them (RFC 4180).
public enum CSV {
  /// The bytes of a table, in UTF-8: one line for each row, with the row's cells. O(bytes).
  ///
  /// By default the cells come as they are. A spreadsheet takes a cell that begins with `=`, `+`, `-` or `@` for a
  /// formula, and a formula can send other cells away. So escape formulas where cells have texts that people wrote.
  ///
  /// - Parameter escapingFormulas: whether such a cell gets an apostrophe before it, if it is no number. A spreadsheet
  ///   shows it as a text then; a program has to take the apostrophe away.
  public static func bytes(_ rows: some Sequence<[String]>, escapingFormulas: Bool = false) -> [UInt8] {
    let lines = rows.map { row in
      row.map { cell(escapingFormulas && isFormula($0) ? "'" + $0 : $0) }.joined(separator: ",") + "\r\n"
    }
    return Array(lines.joined().utf8)
  }

  /// Whether a spreadsheet may take a cell for a formula. Some leave out a tab or a line break before one.
  private static func isFormula(_ text: String) -> Bool {
    guard let first = text.utf8.first else { return false }
    return "=+-@\t\r\n".utf8.contains(first) && Double(text) == nil
  }

  private static func cell(_ text: String) -> String {
    let isPlain = text.utf8.allSatisfy { !"\",\r\n".utf8.contains($0) }
    return isPlain ? text : "\"\(text.replacing("\"", with: "\"\""))\""
  }
}
