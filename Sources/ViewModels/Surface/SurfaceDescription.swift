// SPDX-License-Identifier: MIT
package import JSONPatching

/// A surface as plain values, for documentation: its entries, with their types on the wire.
package struct SurfaceDescription: Sendable {
  /// The identity of a description: the type, and the kinds of rows that another surface named.
  package struct Identity: Hashable, Sendable {
    package let type: ObjectIdentifier
    package let kinds: [ObjectIdentifier]
  }

  /// A description on demand, as a view model may contain others of its own type.
  package typealias Reference = @Sendable () -> SurfaceDescription

  package enum Rows: Sendable {
    case same(Reference)
    /// Rows of different kinds; `nil` where the surface does not name them.
    case kinds([Reference]?)
  }

  package let name: String
  package let about: String?
  package private(set) var identity: Identity
  package private(set) var entries: [EntryDescription]
  /// The path with which its addresses begin; `nil` for a view model that has nothing in the address, or is not
  /// hosted.
  package internal(set) var addressStart: String?
  /// The parameters with which a session is opened; `nil` for none.
  package internal(set) var params: JSONSchema?
  /// Whom its sessions are for, and whether clients may be invited into them.
  package internal(set) var (owner, takesGuests) = (SessionOwner.client, false)
  /// Whether the view model acts by itself, at times.
  var hasTimers = false
  /// Whether it has stored variables, or parts that are stored and not shown, which may have some.
  var hasOwnVariables = false
  /// The object of the identity. It is kept alive, so that no other object gets the same identity.
  private let marker: FieldMarker?

  init(_ name: String, about: String?, type: AnyObject.Type, _ entries: [EntryDescription]) {
    self.init(name, about, Identity(type: ObjectIdentifier(type), kinds: []), entries)
  }

  /// Describes a field of a form. Each field has an identity of its own, as no other has its bounds.
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

  /// - Returns: the descriptions; `nil` if no kinds are named.
  static func references(_ kinds: [any ViewModel.Type]) -> [Reference]? {
    // A closure: the compiler (6.3.1) crashes over a key path of a type that is not known.
    kinds.isEmpty ? nil : kinds.map { kind in kind.description }
  }

  /// The same description, with the kinds of rows that its lists of different kinds have here.
  func withKinds(_ kinds: [any ViewModel.Type]) -> SurfaceDescription {
    let references = Self.references(kinds)
    var description = self
    description.identity = Identity(type: identity.type, kinds: kinds.map { ObjectIdentifier($0) })
    for index in entries.indices {
      guard case .list(.kinds(nil), let hasWindow) = entries[index].form else { continue }
      description.entries[index].form = .list(.kinds(references), hasWindow: hasWindow)
    }
    return description
  }
}

extension SurfaceDescription {
  /// Whether files are sent to it, or to a part or a row of it.
  package var takesFiles: Bool {
    let takes = { (description: SurfaceDescription) in
      description.entries.contains { if case .uploads = $0.form { true } else { false } }
    }
    return takes(self) || firstPart(where: takes) != nil || hasUnknownRows
  }
}

/// An object that gives a field's description an identity of its own.
private final class FieldMarker: Sendable {}
