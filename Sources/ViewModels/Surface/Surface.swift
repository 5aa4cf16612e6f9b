// SPDX-License-Identifier: MIT
import JSONPatching
import ObservableCore

/// The outside of a view model: the names on the wire, each with the property behind it.
///
/// Clients reach nothing that is not declared here. The order of the entries is the order of the state's
/// members (ASVS 15.3.3, PROTOCOL §1).
public final class Surface<Model: AnyObject>: Sendable {
  /// The name of the view model in URLs, and its kind in a list of different kinds.
  public let name: String
  /// The entries of the surface, for documentation.
  package let description: SurfaceDescription
  let shape: ObjectShape
  private let outputs: [ShownEntry<Model>]
  /// The entries that clients perform and cancel, and those that they set.
  private let actions: SurfaceInputs
  private let values: SurfaceInputs
  /// The stored entries, in their order and by their stages.
  let stored: [Stored]
  let storedByStage: [Stored]
  /// Writes all stored entries: each closure calls the one before it. A loop over an array of a generic type
  /// would make the runtime look up that type each time, which is a tenth of the whole cost.
  let writeAll: Stored.Write
  let migrations: [StoredStateMigration]
  /// The rules of its fields.
  let rules: FieldRules<Model>
  /// The commands that are properties. A run may keep its view model alive, and is cancelled when that leaves
  /// its list.
  private let commands: [@Sendable (Model) -> any Cancellable]
  /// The parameters with which a session is opened; `nil` for none.
  let params: ParamsDeclaration?
  /// The things that the view model does by itself, at times.
  let timers: SurfaceTimers<Model>
  /// The entries that are in the address.
  let address: SurfaceAddress<Model>
  /// Whether its view models are modules, which may have items that are bound from bundles.
  let isOfModule = Model.self is any Module.Type

  /// Declares the surface of a view model.
  ///
  /// - Parameters:
  ///   - name: the ``name`` of the view model.
  ///   - about: a sentence or two on the view model, for the authors of clients (OpenAPI, `/models`).
  ///   - migrations: functions that bring states up to date which earlier versions of the program have stored. The
  ///     first takes a state from schema 1 to 2, the second from 2 to 3, and so on. Add one whenever the entries change
  ///     so that earlier stored states no longer fit them (Documentation/STORED-STATE.md).
  ///   - entries: the values, actions, commands and parts, in the order of the state's members.
  /// - Precondition: each name consists of one or more letters of ASCII, digits, `-` and `_`. No two entries that are
  ///   shown have the same name, no two that are performed, and no two that are stored. Otherwise the program ends with
  ///   an error that names the entry.
  public init(
    _ name: String, about: String? = nil, migrations: [StoredStateMigration] = [], _ entries: SurfaceEntry<Model>...,
    file: StaticString = #fileID, line: UInt = #line
  ) {
    self.name = name
    self.migrations = migrations
    var description = SurfaceDescription(name, about: about, type: Model.self, entries.compactMap(\.description))
    description.params = entries.lazy.compactMap(\.params).first?.closedSchema
    timers = SurfaceTimers(name, entries.compactMap(\.timer), file: file, line: line)
    description.hasTimers = !timers.isEmpty
    description.hasOwnVariables = entries.contains { $0.description == nil && $0.stored?.variables != nil }
    self.description = description
    outputs = entries.compactMap(\.output)
    rules = FieldRules(entries: entries.compactMap(\.field))
    commands = entries.compactMap(\.command)
    hasCommands = description.entries.contains { entry in
      if case .command = entry.form { true } else { false }
    }
    params = entries.lazy.compactMap(\.params).first
    address = SurfaceAddress(name, entries, file: file, line: line)
    shape = ObjectShape(name, outputs.map { ($0.name, $0.value) })
    actions = SurfaceInputs(entries.compactMap(\.action))
    values = SurfaceInputs(entries.compactMap(\.value))
    let stored = entries.compactMap(\.stored)
    self.stored = stored
    var writeAll: Stored.Write = { _, _, _ in }
    for entry in stored {
      let (before, write) = (writeAll, entry.write)
      writeAll = { model, parts, writer in
        before(model, parts, &writer)
        write(model, parts, &writer)
      }
    }
    self.writeAll = writeAll
    storedByStage = PuttingBackStage.allCases.flatMap { stage in stored.filter { $0.stage == stage } }
    for used in [[name], outputs.map(\.name), actions.names, stored.map(\.name)] {
      var seen: Set<String> = []
      for each in used {
        if !Self.isName(each) {
          refuseToStart(
            "surface '\(name)' has the name '\(each)'", expected: "letters of ASCII, digits, '-' and '_'",
            remedy: "rename it", file: file, line: line)
        }
        if !seen.insert(each).inserted {
          refuseToStart(
            "surface '\(name)' declares '\(each)' twice",
            expected: "each name once among what is shown, done or stored",
            remedy: "rename one, or take it out", file: file, line: line)
        }
      }
    }
  }

  /// The number of the stored state's present shape, from 1.
  var schema: UInt32 { UInt32(migrations.count) + 1 }

  private static func isName(_ text: String) -> Bool {
    !text.isEmpty
      && text.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
          true
        default: false
        }
      }
  }

  let hasCommands: Bool

  func cancelCommands(of model: Model) {
    for command in commands { command(model).cancel() }
  }

  /// The values and parts of a view model, in the order of the shape.
  func members(of model: Model) -> [StateMember] { outputs.map { $0.member(model) } }

  func prepare(
    _ change: Change, _ path: ArraySlice<String>, _ model: Model
  ) throws(SurfaceError) -> PreparedChange {
    if case .set = change.verb {
      if let change = try values.prepare(change, path, model) { return change }
      throw .noSuchValue(change.name, model: name, expected: values.expected)
    }
    if let change = try actions.prepare(change, path, model) { return change }
    throw .noSuchAction(change.name, model: name, expected: actions.expected)
  }

  /// The property of the view model behind an entry: a function, which can be written as a key path such as
  /// `\.username` (SE-0249).
  public typealias Property<Source> = @Sendable (Model) -> Source
}
