// SPDX-License-Identifier: MIT

/// A kind of view model that can be hosted: its name, and how to make one.
///
/// ```swift
/// try EuripusServer([.hosting { Counter() }, .hosting { Recordings(store: store) }]).run()
/// ```
public struct HostedModelType: Sendable {
  /// The name of the view model in URLs.
  public let name: String
  /// What its surface declares.
  package let description: SurfaceDescription
  private let maker: @Sendable () throws -> any HostedModel

  /// - Parameter make: makes the view model of a new session, in a graph of its own. It may run on any thread.
  public static func hosting<Model: ViewModel>(_ make: @escaping @Sendable () throws -> Model) -> HostedModelType {
    HostedModelType(Model.surface.description) { try Hosted(make) }
  }

  private init(_ description: SurfaceDescription, _ maker: @escaping @Sendable () throws -> any HostedModel) {
    name = description.name
    self.description = description
    self.maker = maker
  }

  /// Makes a view model.
  ///
  /// - Throws: ``ViewModelFailure`` for what the maker threw.
  public func make() throws -> any HostedModel { try maker() }
}
