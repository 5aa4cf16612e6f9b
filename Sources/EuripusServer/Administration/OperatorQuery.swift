// SPDX-License-Identifier: MIT

/// The query of an operator's request. An unknown name is refused, since it may have been meant to spare
/// sessions.
struct OperatorQuery: Sendable {
  private let values: [String: String]

  /// - Throws: `bad-request` for an unknown name, for one that comes twice, and for one without a value.
  init(_ target: RequestTarget, taking names: [String]) throws(Problem) {
    guard let items = FormText.items(target.query) else {
      throw Problem(.badRequest, "the query must be in UTF-8, percent-encoded")
    }
    var values: [String: String] = [:]
    for (name, value) in items {
      guard names.contains(name) else {
        throw Problem(.badRequest, "expected in the query: \(names.joined(separator: ", ")); got '\(name)'")
      }
      guard !value.isEmpty, values.updateValue(value, forKey: name) == nil else {
        throw Problem(.badRequest, "expected '\(name)' in the query once, with a value")
      }
    }
    self.values = values
  }

  subscript(name: String) -> String? { values[name] }

  /// - Throws: `bad-request` for a value that is not a number in the range.
  func number(_ name: String, _ range: ClosedRange<Int64>) throws(Problem) -> Int64? {
    guard let text = values[name] else { return nil }
    guard let number = Int64(text), range.contains(number) else {
      let expected = "a whole number from \(range.lowerBound) to \(range.upperBound)"
      throw Problem(.badRequest, "expected as '\(name)' \(expected); got '\(text)'")
    }
    return number
  }
}
