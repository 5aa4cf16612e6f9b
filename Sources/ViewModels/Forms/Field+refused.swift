// SPDX-License-Identifier: MIT
public import JSONPatching
public import ObservableCore

// Fields that cannot be. The compiler says what to write instead.

extension Field {
  @available(
    *, unavailable,
    message: "a field finds its rules on the surface of its view model: expected 'lazy var name = Field(self, …)'"
  )
  public convenience init(_ value: Value) { stopProgram(bug: "it is unavailable") }
}

extension SurfaceEntry {
  @available(
    *, unavailable,
    message: "a field has more than a value: expected 'lazy var name = Field(self, …)' as '\\.name', or '.twoWay'"
  )
  public static func field<Value, Source: ObservableValue<Value>>(
    _ name: String, _ property: @escaping Property<Source>, _ rules: FieldRule<Model, Value>...,
    when condition: When = nil
  ) -> Self { stopProgram(bug: "it is unavailable") }

  @available(*, unavailable, message: "it is a field, which the view shows with its error: expected '.field'")
  public static func twoWay<Value>(_ name: String, _ property: @escaping Property<Field<Value>>) -> Self {
    stopProgram(bug: "it is unavailable")
  }

  @available(*, unavailable, message: "it is a field: expected '.secretField'")
  public static func secret(_ name: String, _ property: @escaping Property<Field<String>>) -> Self {
    stopProgram(bug: "it is unavailable")
  }
}

extension FieldRule {
  @available(*, unavailable, message: "the field has no text: expected '.range' for a number, or '.rule'")
  public static func length(_ range: some FieldRange<Int>, _ message: String? = nil) -> Self {
    stopProgram(bug: "it is unavailable")
  }

  @available(*, unavailable, message: "the field has no text: expected '.range' for a number, or '.rule'")
  public static func matches(_ pattern: String, _ message: String) -> Self { stopProgram(bug: "it is unavailable") }
}
