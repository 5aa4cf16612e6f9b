// SPDX-License-Identifier: MIT
public import JSONPatching
import ObservableCore

/// Actions that are methods of the view model.
extension SurfaceEntry {
  public typealias When = (@Sendable (Model) -> any SurfaceCondition)?

  /// An action that takes no value, refused unless `condition` is true.
  public static func action(
    _ name: String, _ method: @escaping @Sendable (Model) -> () throws -> Void, when condition: When = nil
  ) -> Self {
    taking(name, .action(takes: nil, isConditional: condition != nil)) { model, change throws(SurfaceError) in
      try change.noValue()
      return PreparedChange(condition: condition?(model)) { try method(model)() }
    }
  }

  /// An action that takes no value. Its result is the `result` of the answer (PROTOCOL §3).
  public static func action<Result: JSONRepresentable>(
    _ name: String, _ method: @escaping @Sendable (Model) -> () throws -> Result, when condition: When = nil
  ) -> Self {
    taking(name, .action(takes: nil, result: Result.jsonSchema, isConditional: condition != nil)) {
      model, change throws(SurfaceError) in
      try change.noValue()
      return PreparedChange(condition: condition?(model), giving: { try method(model)() })
    }
  }

  /// An action that takes a value.
  public static func action<Value: JSONRepresentable>(
    _ name: String, _ method: @escaping @Sendable (Model) -> (Value) throws -> Void, when condition: When = nil
  ) -> Self {
    taking(name, .action(takes: Value.jsonSchema, isConditional: condition != nil)) {
      model, change throws(SurfaceError) in
      let value = try change.value(Value.self)
      return PreparedChange(condition: condition?(model)) { try method(model)(value) }
    }
  }

  /// An action that takes a value. Its result is the `result` of the answer (PROTOCOL §3).
  public static func action<Value: JSONRepresentable, Result: JSONRepresentable>(
    _ name: String, _ method: @escaping @Sendable (Model) -> (Value) throws -> Result, when condition: When = nil
  ) -> Self {
    taking(name, .action(takes: Value.jsonSchema, result: Result.jsonSchema, isConditional: condition != nil)) {
      model, change throws(SurfaceError) in
      let value = try change.value(Value.self)
      return PreparedChange(condition: condition?(model), giving: { try method(model)(value) })
    }
  }

  /// An action that takes two or more values, as the members of an object.
  ///
  /// ```swift
  /// .action("move", Board.move, takes: "card", "column")        // func move(_ card: String, _ column: Int)
  /// ```
  ///
  /// - Parameter first: the names of the members, one for each value, in their order.
  /// - Precondition: there are as many names as values.
  public static func action<First: JSONRepresentable, each Value: JSONRepresentable>(
    _ name: String, _ method: @escaping @Sendable (Model) -> (First, repeat each Value) throws -> Void,
    takes first: String, _ others: String..., when condition: When = nil, file: StaticString = #fileID,
    line: UInt = #line
  ) -> Self {
    let members = TakenMembers([first] + others)
    var schemas = [First.jsonSchema]
    repeat schemas.append((each Value).jsonSchema)
    let schema = members.schema(schemas, of: name, file: file, line: line)
    return taking(name, .action(takes: schema, isConditional: condition != nil)) {
      model, change throws(SurfaceError) in
      let json = try members.values(of: change)
      var index = 0
      func next<Next: JSONRepresentable>(_: Next.Type) throws(SurfaceError) -> Next {
        defer { index += 1 }
        return try members.value(index, of: json)
      }
      let first = try next(First.self)
      let others = (repeat try next((each Value).self))
      return PreparedChange(condition: condition?(model)) { try method(model)(first, repeat each others) }
    }
  }
}
