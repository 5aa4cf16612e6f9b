// SPDX-License-Identifier: MIT
public import Euripus

/// The view models of an app.
public typealias Models = [HostedModelType]

/// Makes a list of view models from lines. Each line is a maker of one: `BoardViewModel.init`, or `hosting { …
/// }` with the arguments of the maker.
@resultBuilder public enum ModelsBuilder {
  public static func buildExpression<Model: ViewModel>(_ make: @escaping @Sendable () throws -> Model) -> Models {
    [.hosting(make)]
  }

  /// A line with the maker of a view model that knows its session.
  public static func buildExpression<Model: ViewModel>(
    _ make: @escaping @Sendable (SessionContext) throws -> Model
  ) -> Models {
    [.hosting(make)]
  }

  public static func buildExpression(_ model: HostedModelType) -> Models { [model] }
  public static func buildExpression(_ models: Models) -> Models { models }

  @available(*, unavailable, message: "a line is a maker of a view model: expected its '.init', or 'hosting { … }'")
  public static func buildExpression<Model: ViewModel>(_ type: Model.Type) -> Models { [] }

  @available(
    *, unavailable,
    message: "each session has a view model of its own: expected its '.init', or 'hosting { … }' around it"
  )
  public static func buildExpression<Model: ViewModel>(_ model: Model) -> Models { [] }

  @available(*, unavailable, message: "this 'init' takes something: expected 'hosting { … }' around a call of it")
  public static func buildExpression<Model: ViewModel, each Input>(_ make: (repeat each Input) throws -> Model)
    -> Models
  { [] }

  @available(*, unavailable, message: "a line is the '.init' of a class that is a 'ViewModel', or 'hosting { … }'")
  public static func buildExpression<Other>(_ make: () throws -> Other) -> Models { [] }

  public static func buildBlock(_ models: Models...) -> Models { models.flatMap(\.self) }
  public static func buildOptional(_ models: Models?) -> Models { models ?? [] }
  public static func buildEither(first models: Models) -> Models { models }
  public static func buildEither(second models: Models) -> Models { models }
  public static func buildArray(_ models: [Models]) -> Models { models.flatMap(\.self) }
}

extension EuripusApp {
  /// The view models, each with a name of its own.
  func hostedModels() throws -> Models {
    let models = try models
    var names: Set<String> = []
    for model in models where !names.insert(model.name).inserted { throw AppError.modelNameTaken(model.name) }
    return models
  }

  /// A view model with arguments, for a line of ``models``; see
  /// ``HostedModelType/hosting(at:page:durability:awaitsCommands:scope:_:)``.
  public func hosting<Model: ViewModel>(
    at path: String? = nil, page: String? = nil, durability: Durability? = nil, awaitsCommands: Bool = false,
    scope: SessionScope = .client, _ make: @escaping @Sendable () throws -> Model
  ) -> HostedModelType {
    .hosting(at: path, page: page, durability: durability, awaitsCommands: awaitsCommands, scope: scope, make)
  }

  /// The same, for a view model that knows its session: its user, its parameters.
  public func hosting<Model: ViewModel>(
    at path: String? = nil, page: String? = nil, durability: Durability? = nil, awaitsCommands: Bool = false,
    scope: SessionScope = .client, _ make: @escaping @Sendable (SessionContext) throws -> Model
  ) -> HostedModelType {
    .hosting(at: path, page: page, durability: durability, awaitsCommands: awaitsCommands, scope: scope, make)
  }
}

/// The reason why an app cannot be served.
enum AppError: Error, CustomStringConvertible {
  case modelNameTaken(String)

  var description: String {
    switch self {
    case .modelNameTaken(let name):
      "two view models have the name '\(name)'; expected each surface of 'models' to have a name of its own"
    }
  }
}
