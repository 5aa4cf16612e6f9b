// SPDX-License-Identifier: MIT
package import JSONPatching

/// One entry of a surface as plain values, for documentation.
package struct EntryDescription: Sendable {
  package let name: String
  package var about: String?
  package internal(set) var form: EntryForm
  /// The effect of a change on a browser's history, if the entry is in the address; otherwise `nil`.
  package var history: AddressHistory?
  /// The users that it is for; `nil` for all.
  package var audience: Audience?
  /// The use that it makes of the database; `nil` for an entry that makes none.
  package var databaseUse: DatabaseUse?
  /// Whether the state of other users has no such member.
  package var isHidden = false
}

/// The use that an action makes of the database.
package enum DatabaseUse {
  /// Its code runs once for a request.
  case once
  /// Its code may run more than once for a request.
  case repeatable
}

/// The form of an entry, with its types on the wire.
package enum EntryForm: Sendable {
  /// - Parameter isConditional: whether the view model may refuse a write at times.
  case value(JSONSchema, isWritable: Bool, isConditional: Bool)
  case secret(isConditional: Bool)
  /// - Parameters:
  ///   - takes: the type of its value; `nil` for an action without one.
  ///   - result: the type of its own result; `nil` for an action without one.
  case action(takes: JSONSchema?, result: JSONSchema? = nil, isConditional: Bool)
  case command(takes: JSONSchema?, result: JSONSchema)
  case nested(SurfaceDescription.Reference, isOptional: Bool)
  case list(SurfaceDescription.Rows, hasWindow: Bool)
  /// Files that clients send. The state has an object of the surface of ``Uploads``.
  case uploads(SurfaceDescription.Reference)
}
