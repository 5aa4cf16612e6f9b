// SPDX-License-Identifier: MIT
public import JSONPatching
import ObservableCore

/// A migration: takes the stored state of a view model, an object, from one schema to the next.
///
/// It must give the same result for the same state.
public typealias StoredStateMigration = @Sendable (inout JSON) throws -> Void

extension Surface {
  /// - Parameters:
  ///   - parts: the keeper of the parts; `nil` where the state is written as one.
  ///   - showsKind: whether the object has its kind.
  ///   - isTop: whether it is the whole state. The caller keeps the schema of the whole state.
  func writeStored(
    _ model: Model, _ parts: PartsKeeper?, showsKind: Bool, isTop: Bool, to writer: inout JSONWriter
  ) {
    writer.beginObject()
    if showsKind {
      writer.key(StoredName.kind)
      writer.string(name)
    }
    if schema != 1, !isTop {
      writer.key(StoredName.schema)
      writer.integer(Int(schema))
    }
    writeAll(model, parts, &writer)
    if isOfModule, let module = model as? any Module { module.writeStoredItems(to: &writer) }
    if isTop { parts?.writeCount(to: &writer) }
    writer.endObject()
  }

  /// - Parameter schema: the schema of the state, where the caller keeps it; otherwise `nil`.
  func putBack(_ json: JSON, into model: Model, schema: UInt32?, _ restoration: Restoration) throws {
    var json = json
    guard case .object = json else {
      throw restoration.unreadable("expected an object for '\(name)', got \(json.kindInWords)")
    }
    let found = try schema ?? Self.schema(of: json, restoration)
    try migrate(&json, from: found, restoration)
    restoration.migrated(to: json, name, from: found, to: self.schema)
    for entry in storedByStage { try entry.putBack(model, json, restoration) }
    // It comes after the view models within it.
    if let model = model as? any ViewModel { restoration.came(to: model) }
    if isOfModule, let module = model as? any Module { try module.putBackItems(json, restoration) }
  }

  private static func schema(of json: JSON, _ restoration: Restoration) throws(StoredStateError) -> UInt32 {
    guard let stored = json[StoredName.schema] else { return 1 }
    guard case .integer(let number) = stored, let schema = UInt32(exactly: number) else {
      throw restoration.unreadable("expected a schema from 1 to \(UInt32.max) as '\(StoredName.schema)'")
    }
    return schema
  }

  private func migrate(_ json: inout JSON, from schema: UInt32, _ restoration: Restoration) throws {
    if schema > self.schema { throw StoredStateError.newer(found: schema, known: self.schema) }
    guard schema >= 1 else { throw restoration.unreadable("expected a schema from 1 on, got 0") }
    for number in Int(schema)..<Int(self.schema) {
      do { try migrations[number - 1](&json) } catch {
        throw restoration.unreadable("the migration of '\(name)' from \(number) to \(number + 1) failed: \(error)")
      }
      guard case .object = json else {
        throw restoration.unreadable(
          "the migration of '\(name)' from \(number) to \(number + 1) made no object of it, but \(json.kindInWords)")
      }
    }
  }

  func addVariables(of model: Model, to variables: inout StoredVariables) {
    for entry in stored { entry.variables?(model, &variables) }
  }

  func addLosses(_ model: Model, to losses: inout RestartLosses) {
    for entry in stored { entry.losses?(model, &losses) }
  }
}

extension ViewModel {
  func writeStored(
    _ parts: PartsKeeper?, showsKind: Bool = false, isTop: Bool = false, to writer: inout JSONWriter
  ) {
    Self.surface.writeStored(self, parts, showsKind: showsKind, isTop: isTop, to: &writer)
  }

  /// The nodes that decide about its stored state; `nil` if that may change without their telling.
  var storedSources: [Node]? {
    if Self.surface.isOfModule { return nil }
    return Surface<Self>.Stored.sources(of: Self.surface.stored, self)
  }

  func putBack(_ json: JSON, schema: UInt32? = nil, _ restoration: Restoration) throws {
    try Self.surface.putBack(json, into: self, schema: schema, restoration)
  }

  func addVariables(to variables: inout StoredVariables) { Self.surface.addVariables(of: self, to: &variables) }

  func addLosses(to losses: inout RestartLosses) { Self.surface.addLosses(self, to: &losses) }

  /// The name of its surface.
  var surfaceName: String { Self.surface.name }
}

extension JSON {
  /// The kind of the value in words, for errors.
  var kindInWords: String {
    switch self {
    case .null: "null"
    case .bool: "a boolean"
    case .integer, .number: "a number"
    case .string: "a string"
    case .array: "an array"
    case .object: "an object"
    }
  }
}
