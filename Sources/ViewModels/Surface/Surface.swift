// SPDX-License-Identifier: MIT
import JSONPatching
import ObservableCore

/// What a view model shows and lets do: the names of the wire, each with the property behind it.
///
/// Nothing that is not declared here can be reached from outside (ASVS 15.3.3). The order of the entries is the order of
/// the state's members.
public final class Surface<Model: AnyObject>: Sendable {
  /// The name of the view model in URLs, and the kind of it where it stands beside others in a list.
  public let name: String
  /// What it declares, for documentation.
  package let description: SurfaceDescription
  let shape: ObjectShape
  private let outputs: [Output]
  /// What `perform` and `cancel` reach, and what `assign` reaches.
  private let actions: SurfaceInputs
  private let values: SurfaceInputs
  /// What is stored, and what takes that of an earlier schema to the next, that of 1 first.
  let stored: [Stored]
  let storedByTurn: [Stored]
  /// Writes all that is stored, one entry within the next: going through an array of a generic type asks the runtime for
  /// that type each time, which is a tenth of the whole cost.
  let writeAll: Stored.Write
  let migrations: [StoredStateMigration]
  /// Whether its view models have items that are bound from bundles.
  let isOfModule = Model.self is any Module.Type

  /// - Parameters:
  ///   - about: what the view model is, in a sentence or two for whoever writes a client (OpenAPI, `/models`).
  ///   - migrations: what takes a stored state from schema 1 to 2, from 2 to 3, and so on: one for each time that the
  ///     entries were changed so that what was stored before does not fit them.
  /// - Precondition: the name and those of the entries are made of letters, digits, `-` and `_`, and no two values and
  ///   no two actions have the same.
  public init(
    _ name: String, about: String? = nil, migrations: [StoredStateMigration] = [], _ entries: Entry...,
    file: StaticString = #fileID, line: UInt = #line
  ) {
    self.name = name
    self.migrations = migrations
    description = SurfaceDescription(name, about: about, type: Model.self, entries.compactMap(\.description))
    outputs = entries.compactMap(\.output)
    shape = ObjectShape(name, outputs.map { ($0.name, $0.member) })
    actions = SurfaceInputs(entries.compactMap(\.action?.erased))
    values = SurfaceInputs(entries.compactMap(\.value?.erased))
    let stored = entries.compactMap(\.stored)
    self.stored = stored
    var writeAll: Stored.Write = { _, _ in }
    for entry in stored {
      let (before, write) = (writeAll, entry.write)
      writeAll = { model, writer in
        before(model, &writer)
        write(model, &writer)
      }
    }
    self.writeAll = writeAll
    storedByTurn = Turn.allCases.flatMap { turn in stored.filter { $0.turn == turn } }
    for used in [[name], outputs.map(\.name), actions.names, stored.map(\.name)] {
      var seen: Set<String> = []
      for each in used {
        precondition(Self.isName(each), "'\(each)': expected letters, digits, '-' and '_'", file: file, line: line)
        precondition(seen.insert(each).inserted, "surface '\(name)' declares '\(each)' twice", file: file, line: line)
      }
    }
  }

  /// Which shape the stored state has now, counted from 1.
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

  func part(of model: Model, showsKind: Bool) -> ObjectPart {
    ObjectPart(shape, showsKind: showsKind, outputs.map { $0.content(model) })
  }

  func receive(
    _ request: SurfaceRequest, _ path: ArraySlice<String>, _ model: Model
  ) throws(SurfaceError) -> PreparedChange {
    if case .assign = request.verb {
      if let change = try values.receive(request, path, model) { return change }
      throw .noSuchValue(request.name, model: name, expected: values.expected)
    }
    if let change = try actions.receive(request, path, model) { return change }
    throw .noSuchAction(request.name, model: name, expected: actions.expected)
  }

  /// Where the view model keeps what an entry names: a key path as it is written, `\.username`, or a function.
  // A key path itself is interpreted by the runtime at each access (Decisions/0038).
  public typealias Property<Source> = @Sendable (Model) -> Source

  /// One line of a surface: a value, an action, a command, or a part with values and actions of its own.
  public struct Entry: Sendable {
    /// `nil` for what no client sees.
    var description: SurfaceDescription.Entry?
    var output: Output?
    /// What comes of performing and cancelling, and of assigning.
    var action: Input?
    var value: Input?
    var stored: Stored?

    /// The same, with a sentence or two about it for whoever writes a client (OpenAPI).
    public func about(_ text: String) -> Self {
      var entry = self
      entry.description?.about = text
      return entry
    }
  }

  /// What an entry shows.
  struct Output: Sendable {
    let name: String
    let member: ObjectShape.Member
    let content: @Sendable (Model) -> ObjectPart.Content
  }

  /// What an entry takes.
  struct Input: Sendable {
    let name: String
    /// Whether paths go on below it.
    var isPart = false
    let receive: @Sendable (Model, SurfaceRequest, ArraySlice<String>) throws(SurfaceError) -> PreparedChange

    var erased: AnyInput {
      AnyInput(name: name, isPart: isPart) { [receive] model, request, path throws(SurfaceError) in
        // A surface hands over its own view models.
        try receive(unsafeDowncast(model, to: Model.self), request, path)
      }
    }
  }
}
