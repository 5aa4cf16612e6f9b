// SPDX-License-Identifier: MIT
import JSONPatching

/// A rule for the value of a field. It has a check, a message for the person where the value breaks it, and the
/// bounds that a page and the server's description can show.
///
/// Rules are asked in their order, up to the first that is broken. A value that is missing, such as an empty
/// text, breaks ``required`` and no other of the rules here. A rule of your own is always asked.
public struct FieldRule<Model: AnyObject, Value>: Sendable {
  let isKept: @Sendable (Model, Value) -> Bool
  let message: String
  var bounds: [FieldBound] = []

  /// A rule of your own.
  ///
  /// - Parameter isKept: says whether a value keeps it. It must change nothing.
  public static func rule(_ message: String, _ isKept: @escaping @Sendable (Value) -> Bool) -> Self {
    Self(isKept: { isKept($1) }, message: message)
  }

  /// A rule of your own that reads other values of the view model; where they change it is asked anew.
  ///
  /// ```swift
  /// .secretField("repeated", \.repeated, .rule("The two differ") { $1 == $0.password.value })
  /// ```
  public static func rule(_ message: String, _ isKept: @escaping @Sendable (Model, Value) -> Bool) -> Self {
    Self(isKept: isKept, message: message)
  }
}

/// A bound of a rule: an attribute of HTML, and its meaning in a JSON Schema.
struct FieldBound: Sendable {
  enum Name: String, Sendable { case required, minlength, maxlength, min, max, pattern }

  let name: Name
  let value: JSON
}
