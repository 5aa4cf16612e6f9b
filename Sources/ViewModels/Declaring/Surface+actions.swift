// SPDX-License-Identifier: MIT
public import JSONPatching
public import ObservableCore

extension SurfaceEntry {
  /// An action that takes a value.
  public static func action<Value: JSONRepresentable>(_ name: String, _ property: @escaping Property<Observer<Value>>)
    -> Self
  {
    action(name, property, condition: nil)
  }

  /// An action that takes a value, refused unless `condition` is true.
  public static func action<Value: JSONRepresentable>(
    _ name: String, _ property: @escaping Property<Observer<Value>>,
    when condition: @escaping @Sendable (Model) -> any SurfaceCondition
  ) -> Self {
    action(name, property, condition: condition)
  }

  /// An action that takes no value.
  public static func action(_ name: String, _ property: @escaping Property<Observer<Void>>) -> Self {
    action(name, property, condition: nil)
  }

  /// An action that takes no value, refused unless `condition` is true.
  public static func action(
    _ name: String, _ property: @escaping Property<Observer<Void>>,
    when condition: @escaping @Sendable (Model) -> any SurfaceCondition
  ) -> Self {
    action(name, property, condition: condition)
  }

  private static func action<Value: JSONRepresentable>(
    _ name: String, _ property: @escaping Property<Observer<Value>>, condition: Condition?
  ) -> Self {
    taking(name, .action(takes: Value.jsonSchema, isConditional: condition != nil)) {
      model, change throws(SurfaceError) in
      let value = try change.value(Value.self)
      return PreparedChange(condition: condition?(model)) { try property(model).invoke(value) }
    }
  }

  private static func action(_ name: String, _ property: @escaping Property<Observer<Void>>, condition: Condition?)
    -> Self
  {
    taking(name, .action(takes: nil, isConditional: condition != nil)) { model, change throws(SurfaceError) in
      try change.noValue()
      return PreparedChange(condition: condition?(model)) { try property(model).invoke() }
    }
  }

  static func taking(
    _ name: String, _ form: EntryForm,
    _ prepare: @escaping @Sendable (Model, Change) throws(SurfaceError) -> PreparedChange
  ) -> Self {
    Self(
      description: .init(name: name, form: form),
      action: .init(Model.self, name) { model, change, _ throws(SurfaceError) in
        if case .cancel = change.verb { throw .notACommand(change.name) }
        return try prepare(model, change)
      })
  }
}
