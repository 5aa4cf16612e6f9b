// SPDX-License-Identifier: MIT

/// One line of a surface, such as a value, an action, a command, or a part with values and actions of its own.
public struct SurfaceEntry<Model: AnyObject>: Sendable {
  public typealias Property<Source> = Surface<Model>.Property<Source>

  /// `nil` for an entry that no client sees.
  var description: EntryDescription?
  var output: ShownEntry<Model>?
  /// The side that takes performing and cancelling, and the side that takes setting.
  var action: SurfaceInput?
  var value: SurfaceInput?
  var stored: Surface<Model>.Stored?
  /// The rules of a field.
  var field: FieldRules<Model>.Entry?
  /// The way in which it can be in the address; `nil` for an entry that is no value and no coordinator.
  var address: AddressEntry<Model>?
  /// The command; `nil` for an entry that is none. A run may keep the view model alive, and ends when that
  /// leaves its list.
  var command: (@Sendable (Model) -> any Cancellable)?
  /// The parameters with which a session is opened; `nil` in an entry that does not declare them.
  var params: ParamsDeclaration?
  /// A thing that the view model does by itself; `nil` in an entry that declares none.
  var timer: SurfaceTimers<Model>.Entry?

  /// The same entry, with a sentence or two about it for the authors of clients (OpenAPI).
  public func about(_ text: String) -> Self {
    var entry = self
    entry.description?.about = text
    return entry
  }
}

/// The side of an entry that the state shows.
struct ShownEntry<Model: AnyObject>: Sendable {
  let name: String
  /// The writing of its value; `nil` for a part.
  var value: (any ShownValue)?
  let member: @Sendable (Model) -> StateMember
  /// The same entry, absent from the state of all other users; `nil` for an entry that is no value.
  var visibleTo: (@Sendable (Audience) -> ShownEntry<Model>)?
  /// The same entry, enabled for these users alone; `nil` for an entry that is no command.
  var enabledFor: (@Sendable (Audience) -> ShownEntry<Model>)?
}
