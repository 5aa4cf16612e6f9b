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
  /// A text has at least so many characters, as a person counts them, and at most so many UTF-16 units, as a browser counts
  /// them: so nothing is cut off on the page that the rule would have taken, and no family in one emoji passes for eleven.
  public static func length(_ range: some FieldRange<Int>, _ message: String? = nil) -> Self {
    let (lower, upper) = (range.lower, range.upper)
    return Self(
      isKept: { _, value in
        guard let text = value.fieldText, !text.isEmpty else { return true }
        // The limit first: counting characters takes longer.
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
  /// The pattern is one of JavaScript's, as the page asks it too. Put a `.length` before it: a rule behind one that is broken is
  /// not asked, and some patterns take long over a long text.
  ///
  /// - Precondition: it is a pattern of Swift's `Regex` as well.
  public static func matches(_ pattern: String, _ message: String) -> Self {
    let compiled = FieldPattern(pattern)
    return Self(
      isKept: { _, value in value.fieldText.map { $0.isEmpty || compiled.matches($0) } ?? true },
      message: message, bounds: [FieldBound(name: .pattern, value: .string(pattern))])
  }
}

/// A compiled pattern.
private struct FieldPattern: @unchecked Sendable {
  // A Regex is not Sendable for what its transforms may capture: one made from a text has none, and does not change.
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
