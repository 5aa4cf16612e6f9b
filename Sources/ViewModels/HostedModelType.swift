// SPDX-License-Identifier: MIT
public import JSONPatching

/// A kind of view model that can be hosted: its name, and how to make one.
///
/// ```swift
/// EuripusServer([.hosting { Counter() }, .hosting { Recordings(store: store) }]).run()
/// ```
public struct HostedModelType: Sendable {
  typealias Maker = @Sendable (SessionOrigin, _ stored: (state: JSON, schema: UInt32)?) throws -> any HostedModel

  /// The name of the view model in URLs.
  public let name: String
  /// The entries of its surface.
  package let description: SurfaceDescription
  /// The present shape of the stored state: the schema of its surface.
  public let schema: UInt32
  private let maker: Maker

  /// The promise of an answer of a session; `nil` for that of the server (PROTOCOL §8).
  package let durability: Durability?
  /// Whether the answer to a change waits for the commands that it starts (PROTOCOL §3).
  package let awaitsCommands: Bool

  /// - Parameters:
  ///   - durability: the promise of an answer of a session, where that is not the same as for all.
  ///   - awaitsCommands: whether the answer to a change waits for the commands that it starts, for half a minute at most, also
  ///     if its client does not ask for that. For commands that save what the client is told.
  ///   - make: makes the view model of a new session, in a graph of its own. It may run on any thread.
  public static func hosting<Model: ViewModel>(
    durability: Durability? = nil, awaitsCommands: Bool = false, _ make: @escaping @Sendable () throws -> Model
  ) -> HostedModelType {
    HostedModelType(Model.surface.description, Model.surface.schema, durability, awaitsCommands) {
      try Hosted(make, stored: $1)
    }
  }

  private init(
    _ description: SurfaceDescription, _ schema: UInt32, _ durability: Durability?, _ awaitsCommands: Bool,
    _ maker: @escaping Maker
  ) {
    self.awaitsCommands = awaitsCommands
    self.durability = durability
    name = description.name
    self.description = description
    self.schema = schema
    self.maker = maker
  }

  /// Makes a view model.
  ///
  /// - Parameter session: the session that it is for.
  /// - Throws: ``ViewModelFailure`` for what the maker threw.
  public func make(for session: SessionOrigin) throws -> any HostedModel { try maker(session, nil) }

  /// Makes a view model, and puts a stored state back (Documentation/STORED-STATE.md).
  ///
  /// Nobody in the view model is told of the values that are put back. Then it is told, as of changes of the usual kind, of
  /// those of a restart: secrets that were set are empty, and commands that were executing have failed with
  /// ``CommandInterrupted``.
  ///
  /// - Parameters:
  ///   - state: a state that ``HostedModel/writeStored(to:)`` wrote.
  ///   - schema: the ``schema`` of the type that wrote it.
  ///   - session: the session that it is for.
  /// - Throws: ``StoredStateError``, or ``ViewModelFailure`` for what code of the view model threw.
  public func restore(_ state: JSON, schema: UInt32, for session: SessionOrigin) throws -> any HostedModel {
    try maker(session, (state, schema))
  }

  /// The same type, of which `decorate` makes the view models: it may do something before and after `make`, and wrap the view
  /// model that this gives.
  package func decorated(
    by decorate:
      @escaping @Sendable (
        _ session: SessionOrigin, _ isRestored: Bool, _ make: () throws -> any HostedModel
      ) throws -> any HostedModel
  ) -> HostedModelType {
    HostedModelType(description, schema, durability, awaitsCommands) { [maker] session, stored in
      try decorate(session, stored != nil) { try maker(session, stored) }
    }
  }
}
