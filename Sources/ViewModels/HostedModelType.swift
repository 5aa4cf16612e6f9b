// SPDX-License-Identifier: MIT
public import JSONPatching

/// A kind of view model that can be hosted: its name, and how to make one.
///
/// ```swift
/// try EuripusServer([.hosting { Counter() }, .hosting { Recordings(store: store) }]).run()
/// ```
public struct HostedModelType: Sendable {
  typealias Maker = @Sendable (_ stored: (state: JSON, schema: UInt32)?) throws -> any HostedModel

  /// The name of the view model in URLs.
  public let name: String
  /// What its surface declares.
  package let description: SurfaceDescription
  /// Which shape the stored state has now: the schema of its surface.
  public let schema: UInt32
  private let maker: Maker

  /// What an answer of a session promises; `nil` for what the server says (PROTOCOL §8).
  package let durability: Durability?

  /// - Parameters:
  ///   - durability: what an answer of a session promises, where that is not what the server says for all.
  ///   - make: makes the view model of a new session, in a graph of its own. It may run on any thread.
  public static func hosting<Model: ViewModel>(
    durability: Durability? = nil, _ make: @escaping @Sendable () throws -> Model
  ) -> HostedModelType {
    HostedModelType(Model.surface.description, Model.surface.schema, durability) { try Hosted(make, stored: $0) }
  }

  private init(
    _ description: SurfaceDescription, _ schema: UInt32, _ durability: Durability?, _ maker: @escaping Maker
  ) {
    self.durability = durability
    name = description.name
    self.description = description
    self.schema = schema
    self.maker = maker
  }

  /// Makes a view model.
  ///
  /// - Throws: ``ViewModelFailure`` for what the maker threw.
  public func make() throws -> any HostedModel { try maker(nil) }

  /// Makes a view model, and puts a stored state back (Documentation/STORED-STATE.md).
  ///
  /// Nobody in the view model is told of what was put back. Then it is told, as of changes of the usual kind, of what a
  /// restart does change: secrets that were set are empty, and commands that were executing have failed with
  /// ``CommandInterrupted``.
  ///
  /// - Parameters:
  ///   - state: what ``HostedModel/writeStored(to:)`` wrote.
  ///   - schema: the ``schema`` of the type that wrote it.
  /// - Throws: ``StoredStateError``, or ``ViewModelFailure`` for what code of the view model threw.
  public func restore(_ state: JSON, schema: UInt32) throws -> any HostedModel { try maker((state, schema)) }
}
