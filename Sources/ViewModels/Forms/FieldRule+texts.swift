// SPDX-License-Identifier: MIT
import JSONPatching
import ObservableCore

/// A text, or one that may be missing.
public protocol FieldText: SendableMetatype {
  var fieldText: String? { get }
}

extension String: FieldText {
  public var fieldText: String? { self }
}

extension Optional: FieldText where Wrapped == String {
  public var fieldText: String? { self }
}

extension FieldRule where Value: FieldText {
  /// A text has at least as many characters as the range's lower end, and at most as many UTF-16 code units as its
  /// upper end. A text that is empty or missing keeps the rule.
  ///
  /// The lower end counts characters as a person does (`Character`): an emoji of a family is one. The upper end counts
  /// as a browser does for `maxlength`: the same emoji may be 11 units. So the page cuts off no text that keeps the
  /// rule.
  ///
  /// - Parameters:
  ///   - range: `3...20`, `3...` or `...20`.
  ///   - message: the message for a person; by default in English, such as "3 to 20 characters".
  public static func length(_ range: some FieldRange<Int>, _ message: String? = nil) -> Self {
    let (lower, upper) = (range.lower, range.upper)
    return Self(
      isKept: { _, value in
        guard let text = value.fieldText, !text.isEmpty else { return true }
        // The upper limit first: to count characters takes longer.
        return upper.map { text.utf16.count <= $0 } ?? true && lower.map { text.count >= $0 } ?? true
      },
      message: message ?? lengthInWords(lower, upper),
      bounds: bound(.minlength, lower) + bound(.maxlength, upper))
  }

  private static func lengthInWords(_ lower: Int?, _ upper: Int?) -> String {
    switch (lower, upper) {
    case (let lower?, let upper?): lower == upper ? "\(lower) characters" : "\(lower) to \(upper) characters"
    case (let lower?, nil): "At least \(lower) characters"
    case (nil, let upper?): "At most \(upper) characters"
    case (nil, nil): ""
    }
  }

  private static func bound(_ name: FieldBound.Name, _ value: Int?) -> [FieldBound] {
    value.map { [FieldBound(name: name, value: .integer(Int64($0)))] } ?? []
  }

  /// A text matches a pattern from its beginning to its end.
  ///
  /// The pattern is one of JavaScript's, as the page uses it too. Put a `.length` before it: some patterns take
  /// long over a long text, and the rules behind a broken one are not asked.
  ///
  /// - Precondition: it is also a pattern of Swift's `Regex`.
  public static func matches(_ pattern: String, _ message: String) -> Self {
    let compiled = FieldPattern(pattern)
    return Self(
      isKept: { _, value in value.fieldText.map { $0.isEmpty || compiled.matches($0) } ?? true },
      message: message, bounds: [FieldBound(name: .pattern, value: .string(pattern))])
  }
}

/// A compiled pattern.
private struct FieldPattern: @unchecked Sendable {
  // A Regex is not Sendable because its transforms may capture state. One that is made from a text has no
  // transforms, and does not change.
  private let regex: Regex<AnyRegexOutput>

  init(_ pattern: String) {
    do { regex = try Regex(pattern).matchingSemantics(.unicodeScalar) } catch {
      refuseToStart(
        "a rule of a field has the pattern '\(pattern)', which is none: \(error)", expected: "a regular expression",
        remedy: "mend it, as in '.matches(\"[a-z]+\", …)'")
    }
  }

  func matches(_ text: String) -> Bool {
    do { return try regex.wholeMatch(in: text) != nil } catch { return false }
  }
}
