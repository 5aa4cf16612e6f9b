// SPDX-License-Identifier: MIT
import ObservableCore

/// A type that is not `Codable` and does not define its JSON. For it, the compiler says one sentence instead of
/// a list of missing members.
extension JSONRepresentable {
  @available(
    *, unavailable,
    message:
      "the type does not say its JSON: expected 'Codable, JSONRepresentable', or 'init(json:)', 'write(to:)' and 'jsonTypeName' of its own"
  )
  public init(json: JSON) throws(JSONMismatch) { stopProgram(bug: "it is unavailable") }

  @available(
    *, unavailable,
    message:
      "the type does not say its JSON: expected 'Codable, JSONRepresentable', or 'init(json:)', 'write(to:)' and 'jsonTypeName' of its own"
  )
  public func write(to writer: inout JSONWriter) { stopProgram(bug: "it is unavailable") }

  @available(
    *, unavailable,
    message:
      "the type does not say its JSON: expected 'Codable, JSONRepresentable', or 'init(json:)', 'write(to:)' and 'jsonTypeName' of its own"
  )
  public static var jsonTypeName: String { stopProgram(bug: "it is unavailable") }
}
