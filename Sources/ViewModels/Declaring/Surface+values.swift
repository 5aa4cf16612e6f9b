// SPDX-License-Identifier: MIT
public import JSONPatching
public import ObservableCore

extension SurfaceEntry {
  typealias Condition = @Sendable (Model) -> any SurfaceCondition

  /// A value that the view shows and cannot write.
  public static func value<Value: JSONRepresentable, Source: ObservableValue<Value>>(
    _ name: String, _ property: @escaping Property<Source>
  ) -> Self {
    Self(
      description: .init(name: name, form: .value(Value.jsonSchema, isWritable: false, isConditional: false)),
      output: .value(name, ShownJSON<Value>()) { property($0) },
      value: .init(Model.self, name) { _, change, _ throws(SurfaceError) in throw .readOnly(change.name) },
      stored: .value(name) { property($0) }, address: .value(property))
  }

  /// A value that the view shows and writes.
  public static func twoWay<Value: JSONRepresentable, Source: Observable<Value>>(
    _ name: String, _ property: @escaping Property<Source>
  ) -> Self {
    twoWay(name, property, condition: nil)
  }

  /// A value that the view shows and writes while `condition` is true.
  public static func twoWay<Value: JSONRepresentable, Source: Observable<Value>>(
    _ name: String, _ property: @escaping Property<Source>,
    when condition: @escaping @Sendable (Model) -> any SurfaceCondition
  ) -> Self {
    twoWay(name, property, condition: condition)
  }

  private static func twoWay<Value: JSONRepresentable, Source: Observable<Value>>(
    _ name: String, _ property: @escaping Property<Source>, condition: Condition?
  ) -> Self {
    Self(
      description: .init(
        name: name, form: .value(Value.jsonSchema, isWritable: true, isConditional: condition != nil)),
      output: .value(name, ShownJSON<Value>()) { property($0) },
      value: .init(Model.self, name) { model, change, _ throws(SurfaceError) in
        let value = try change.value(Value.self)
        return PreparedChange(condition: condition?(model)) { try property(model).set(value) }
      }, stored: .value(name) { property($0) }, address: .value(property, when: condition))
  }

  /// A text that the view writes and no client reads. It is absent from the state while it is set, and `""`
  /// while it is empty.
  public static func secret<Source: Observable<String>>(_ name: String, _ property: @escaping Property<Source>) -> Self
  {
    secret(name, property, condition: nil)
  }

  /// A text that no client reads, and that the view writes while `condition` is true.
  public static func secret<Source: Observable<String>>(
    _ name: String, _ property: @escaping Property<Source>,
    when condition: @escaping @Sendable (Model) -> any SurfaceCondition
  ) -> Self {
    secret(name, property, condition: condition)
  }

  private static func secret<Source: Observable<String>>(
    _ name: String, _ property: @escaping Property<Source>, condition: Condition?
  ) -> Self {
    Self(
      description: .init(name: name, form: .secret(isConditional: condition != nil)),
      output: .init(name: name, value: ShownSecret()) { model in
        let source = property(model)
        source.becomeSecret()
        return .value(source)
      },
      value: .init(Model.self, name) { model, change, _ throws(SurfaceError) in
        let value = try change.value(String.self)
        return PreparedChange(condition: condition?(model)) { try property(model).set(value) }
      }, stored: .secret(name) { property($0) })
  }
}

extension ShownEntry {
  /// A value.
  static func value<Value>(
    _ name: String, _ shown: any ShownSource<Value>, _ source: @escaping @Sendable (Model) -> ObservableValue<Value>
  ) -> Self {
    var entry = Self(name: name, value: shown) { .value(source($0)) }
    entry.visibleTo = { audience in
      Self(name: name, value: ShownToSome(shown, audience)) { .value(ShownToSome.node(of: source($0), for: audience)) }
    }
    return entry
  }
}
