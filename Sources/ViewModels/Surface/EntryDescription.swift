// SPDX-License-Identifier: MIT
package import JSONPatching

/// One entry of a surface as plain values, for documentation.
package struct EntryDescription: Sendable {
  package let name: String
  package var about: String?
  package let form: EntryForm
  /// The history that a change makes, if it is in the address; `nil` for an entry that is not.
  package var history: AddressHistory?
  /// The users that it is for, in words; `nil` for everybody.
  package var audience: String?
  /// Whether the state of others has no such member.
  package var isHidden = false
}

/// The form of an entry, with the types that it has on the wire.
package enum EntryForm: Sendable {
  /// - Parameter isConditional: whether the view model may refuse the writing at times.
  case value(JSONSchema, isWritable: Bool, isConditional: Bool)
  case secret(isConditional: Bool)
  /// - Parameters:
  ///   - takes: `nil` for an action without a value.
  ///   - result: `nil` for one without a result of its own.
  case action(takes: JSONSchema?, result: JSONSchema? = nil, isConditional: Bool)
  case command(takes: JSONSchema?, result: JSONSchema)
  case nested(SurfaceDescription.Reference, isOptional: Bool)
  case list(SurfaceDescription.Rows, hasWindow: Bool)
}
