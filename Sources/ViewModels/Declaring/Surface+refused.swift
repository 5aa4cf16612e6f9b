// SPDX-License-Identifier: MIT
public import ObservableCore

/// Entries that cannot be. The compiler says what to write instead.
extension SurfaceEntry {
  @available(
    *, unavailable,
    message: "a client cannot write what is computed: expected '.value', or an '@Observed var' as '\\.$name'"
  )
  public static func twoWay<Value>(_ name: String, _ property: @escaping Property<Computed<Value>>) -> Self {
    unavailable()
  }

  @available(
    *, unavailable,
    message: "a client writes an observed variable by its observable: expected '@Observed var name' and '\\.$name'"
  )
  public static func twoWay<Value>(_ name: String, _ property: @escaping Property<Value>) -> Self { unavailable() }

  @available(
    *, unavailable,
    message:
      "the view follows what is observed: expected '@Observed var name' as '\\.$name', or a 'Computed' as '\\.name'"
  )
  public static func value<Value>(_ name: String, _ property: @escaping Property<Value>) -> Self { unavailable() }

  @available(
    *, unavailable,
    message:
      "the type of the value has no JSON: expected 'Codable, JSONRepresentable' beside its name; for Date, UUID, URL and Decimal 'import EuripusFoundation'"
  )
  public static func value<Value, Source: ObservableValue<Value>>(
    _ name: String, _ property: @escaping Property<Source>
  ) -> Self { unavailable() }

  @available(
    *, unavailable,
    message:
      "the type of the value has no JSON: expected 'Codable, JSONRepresentable' beside its name; for Date, UUID, URL and Decimal 'import EuripusFoundation'"
  )
  public static func twoWay<Value, Source: Observable<Value>>(
    _ name: String, _ property: @escaping Property<Source>
  ) -> Self { unavailable() }

  @available(
    *, unavailable,
    message: "the view follows a list by its keys: expected a 'KeyedList' of view models, or '.value' for an array"
  )
  public static func list<Row>(_ name: String, _ property: @escaping Property<[Row]>) -> Self { unavailable() }

  @available(
    *, unavailable,
    message:
      "a view model that may be absent has to be observed: expected '@Observed(cutOff: .never) var name: Child?' as '\\.$name'"
  )
  public static func nested<Child: ViewModel>(_ name: String, _ property: @escaping Property<Child?>) -> Self {
    unavailable()
  }

  @available(*, unavailable, message: "an async method is a command: expected '.command'")
  public static func action<each Value, Content>(
    _ name: String, _ method: @escaping @Sendable (Model) -> (repeat each Value) async throws -> Content,
    when condition: When = nil
  ) -> Self { unavailable() }

  @available(
    *, unavailable, message: "a method of several values has names for them: expected 'takes: \"first\", \"second\"'"
  )
  public static func action<First, Second, each Value, Content>(
    _ name: String, _ method: @escaping @Sendable (Model) -> (First, Second, repeat each Value) throws -> Content,
    when condition: When = nil
  ) -> Self { unavailable() }

  @available(*, unavailable, message: "the condition has to be a Bool, or an observable of one")
  public static func action<Content, Condition>(
    _ name: String, _ method: @escaping @Sendable (Model) -> () throws -> Content,
    when condition: @escaping Property<Condition>
  ) -> Self { unavailable() }

  @available(*, unavailable, message: "the condition has to be a Bool, or an observable of one")
  public static func action<Value, Content, Condition>(
    _ name: String, _ method: @escaping @Sendable (Model) -> (Value) throws -> Content,
    when condition: @escaping Property<Condition>
  ) -> Self { unavailable() }

  @available(*, unavailable, message: "the condition has to be a Bool, or an observable of one")
  public static func action<Value, Condition>(
    _ name: String, _ property: @escaping Property<Observer<Value>>, when condition: @escaping Property<Condition>
  ) -> Self { unavailable() }

  @available(*, unavailable, message: "the condition has to be a Bool, or an observable of one")
  public static func command<each Value, Content, Condition>(
    _ name: String,
    _ method: @escaping @Sendable (Model) -> nonisolated(nonsending) (repeat each Value) async throws -> Content,
    policy: CommandPolicy = .refuse, when condition: @escaping Property<Condition>
  ) -> Self { unavailable() }

  @available(
    *, unavailable,
    message: "what the method takes and gives has to have JSON: expected 'struct TheType: Codable, JSONRepresentable'"
  )
  public static func action<Value, Content>(
    _ name: String, _ method: @escaping @Sendable (Model) -> (Value) throws -> Content, when condition: When = nil
  ) -> Self { unavailable() }

  @available(
    *, unavailable,
    message: "what the method gives has to have JSON: expected 'struct TheType: Codable, JSONRepresentable'"
  )
  public static func action<Content>(
    _ name: String, _ method: @escaping @Sendable (Model) -> () throws -> Content, when condition: When = nil
  ) -> Self { unavailable() }

  private static func unavailable() -> Self { stopProgram(bug: "it is unavailable") }
}
