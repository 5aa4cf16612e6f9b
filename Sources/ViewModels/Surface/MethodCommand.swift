// SPDX-License-Identifier: MIT
import ObservableCore

/// The command behind an async method of a view model. The view model has no property for it, so its graph
/// keeps it.
enum MethodCommand {
  typealias Condition<Model> = (@Sendable (Model) -> any SurfaceCondition)?

  /// - Parameter make: makes the command; called once for each view model.
  static func property<Model: AnyObject, Input, Content>(
    _ name: String, _ condition: Condition<Model>,
    _ make: @escaping @Sendable (Model, ObservableValue<Bool>?) -> Command<Input, Content>
  ) -> @Sendable (Model) -> Command<Input, Content> {
    { model in
      EntryObject.named(name, of: model, "the command '\(name)'") {
        make(model, condition.map { condition in observable(of: condition, of: model) })
      }
    }
  }

  /// The condition as an observable: itself, or a computed of the `Bool`.
  private static func observable<Model: AnyObject>(
    of condition: @escaping @Sendable (Model) -> any SurfaceCondition, of model: Model
  ) -> ObservableValue<Bool> {
    if let observable = condition(model) as? ObservableValue<Bool> { return observable }
    return Computed(model) { condition($0).holds }
  }
}

/// A command of a view model, of any types, that can be cancelled.
protocol Cancellable: AnyObject {
  func cancel()
}

extension Command: Cancellable {}
