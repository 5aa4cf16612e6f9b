// SPDX-License-Identifier: MIT
import JSONPatching

/// A rule that the value of a field keeps or breaks, the message for the person where it is broken, and the bound that a page and
/// the description of the server can say of it.
///
/// Rules are asked in their order, up to the first that is broken. A value that is missing, such as an empty text, breaks none
/// of the rules here but ``required``; a rule of your own is always asked.
public struct FieldRule<Model: AnyObject, Value>: Sendable {
  let isKept: @Sendable (Model, Value) -> Bool
  let message: String
  var bounds: [FieldBound] = []

  /// A rule of your own.
  ///
  /// - Parameter isKept: says whether a value keeps it, and no more: it changes nothing.
  public static func rule(_ message: String, _ isKept: @escaping @Sendable (Value) -> Bool) -> Self {
    Self(isKept: { isKept($1) }, message: message)
  }

  /// A rule of your own that asks the view model for other values; where these change it is asked anew.
  ///
  /// ```swift
  /// .secretField("repeated", \.repeated, .rule("The two differ") { $1 == $0.password.value })
  /// ```
  public static func rule(_ message: String, _ isKept: @escaping @Sendable (Model, Value) -> Bool) -> Self {
    Self(isKept: isKept, message: message)
  }
}

/// The bound of a rule: an attribute of HTML, and its meaning in a JSON Schema.
struct FieldBound: Sendable {
  enum Name: String, Sendable { case required, minlength, maxlength, min, max, pattern }

  let name: Name
  let value: JSON
}
