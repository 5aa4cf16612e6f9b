// SPDX-License-Identifier: MIT
package import JSONPatching

/// A surface as plain values, for documentation: its entries, with the types that they have on the wire.
package struct SurfaceDescription: Sendable {
  /// The identity of a description: the type, and the kinds of rows that were named from outside.
  package struct Identity: Hashable, Sendable {
    package let type: ObjectIdentifier
    package let kinds: [ObjectIdentifier]
  }

  /// A description on demand: a view model may have others of its own type.
  package typealias Reference = @Sendable () -> SurfaceDescription

  package enum Rows: Sendable {
    case same(Reference)
    /// Rows of different kinds; `nil` where it was not said which.
    case kinds([Reference]?)
  }

  package let name: String
  package let about: String?
  package let identity: Identity
  package let entries: [EntryDescription]
  /// The path that its addresses begin with; `nil` for one that has nothing in the address, or is not hosted.
  package internal(set) var addressStart: String?
  /// The parameters that a session is opened with; `nil` for none.
  package internal(set) var params: JSONSchema?
  /// Whether the view model acts by itself at times.
  var hasTimers = false
  /// The object of the identity, kept alive so that no other object has that.
  private let marker: FieldMarker?

  init(_ name: String, about: String?, type: AnyObject.Type, _ entries: [EntryDescription]) {
    self.init(name, about, Identity(type: ObjectIdentifier(type), kinds: []), entries)
  }

  /// A field of a form: no other has its bounds, whatever the type.
  init(field name: String, _ entries: [EntryDescription]) {
    let marker = FieldMarker()
    self.init("\(name)-field", nil, Identity(type: ObjectIdentifier(marker), kinds: []), entries, marker)
  }

  private init(
    _ name: String, _ about: String?, _ identity: Identity, _ entries: [EntryDescription],
    _ marker: FieldMarker? = nil
  ) {
    self.marker = marker
    self.name = name
    self.about = about
    self.identity = identity
    self.entries = entries
  }

  /// - Returns: `nil` for no kinds, which says nothing of them.
  static func references(_ kinds: [any ViewModel.Type]) -> [Reference]? {
    // A closure: the compiler (6.3.1) crashes over a key path of a type that is not known.
    kinds.isEmpty ? nil : kinds.map { kind in kind.description }
  }

  /// The same, with the kinds of rows that its lists of different kinds have here.
  func withKinds(_ kinds: [any ViewModel.Type]) -> SurfaceDescription {
    let references = Self.references(kinds)
    let entries = entries.map { entry in
      guard case .list(.kinds(nil), let hasWindow) = entry.form else { return entry }
      var described = EntryDescription(
        name: entry.name, about: entry.about, form: .list(.kinds(references), hasWindow: hasWindow),
        history: entry.history)
      described.audience = entry.audience
      return described
    }
    return SurfaceDescription(
      name, about, Identity(type: identity.type, kinds: kinds.map { ObjectIdentifier($0) }), entries)
  }
}

/// An object by which a field's description is told from all others.
private final class FieldMarker: Sendable {}
