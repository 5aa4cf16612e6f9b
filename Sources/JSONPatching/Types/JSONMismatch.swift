// SPDX-License-Identifier: MIT

/// JSON of another type than the expected one.
public struct JSONMismatch: Error, Sendable, Equatable, CustomStringConvertible {
  /// The place in the given value; empty if it is the value itself.
  public let pointer: JSONPointer
  /// The expected type, or words for it.
  public let expected: String
  /// The type that came. It never shows the value, which may be a secret.
  public let found: String

  public init(expected: String, found: String, at pointer: JSONPointer = JSONPointer([])) {
    self.pointer = pointer
    self.expected = expected
    self.found = found
  }

  public init(expected: String, found: JSON, at pointer: JSONPointer = JSONPointer([])) {
    self.init(expected: expected, found: found.typeName, at: pointer)
  }

  public var description: String {
    "expected \(expected), got \(found)" + (pointer.tokens.isEmpty ? "" : " at \(pointer)")
  }

  /// The same mismatch, seen from the value that has this one under `token`.
  public func nested(under token: String) -> JSONMismatch {
    JSONMismatch(expected: expected, found: found, at: JSONPointer([token] + pointer.tokens))
  }
}
