// SPDX-License-Identifier: MIT
import JSONPatching

/// The texts of values that are compared. Long texts are cut to the part where they begin to differ.
enum JSONExcerpt {
  private static let length = 120
  /// The number of characters that are shown of the common part.
  private static let lead = 30

  static func texts(_ values: [JSON?]) -> [String] {
    let texts = values.map { $0.map(\.description) ?? "none" }
    guard texts.contains(where: { $0.count > length }) else { return texts }
    let common = zip(values, texts).filter { $0.0 != nil }.map(\.1).reduce(nil as String?) { common, text in
      common.map { $0.commonPrefix(with: text) } ?? text
    }
    let start = max(0, (common?.count ?? 0) - lead)
    return zip(values, texts).map { value, text in value == nil ? text : cut(text, from: start) }
  }

  private static func cut(_ text: String, from start: Int) -> String {
    // A text that ends before the difference shows its end.
    let start = max(0, min(start, text.count - length))
    let part = text.dropFirst(start)
    return (start > 0 ? "…" : "") + part.prefix(length) + (part.count > length ? "…" : "")
  }
}

extension String {
  fileprivate func commonPrefix(with other: String) -> String {
    String(zip(self, other).prefix { $0 == $1 }.map(\.0))
  }
}
