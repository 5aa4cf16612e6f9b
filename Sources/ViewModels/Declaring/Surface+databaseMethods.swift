// SPDX-License-Identifier: MIT
public import JSONPatching
import ObservableCore

/// Actions that are methods of the view model and take the database, as their last argument (``DatabaseTransaction``).
extension SurfaceEntry {
  /// An action that takes no value.
  public static func action(
    _ name: String, _ method: @escaping @Sendable (Model) -> (DatabaseTransaction) throws -> Void,
    when condition: When = nil
  ) -> Self {
    usingDatabase(name, .action(takes: nil, isConditional: condition != nil)) { model, change throws(SurfaceError) in
      try change.noValue()
      return PreparedChange(condition: condition?(model), with: { try method(model)($0) })
    }
  }

  /// An action that takes no value. Its result is the `result` of the answer (PROTOCOL §3).
  public static func action<Result: JSONRepresentable>(
    _ name: String, _ method: @escaping @Sendable (Model) -> (DatabaseTransaction) throws -> Result,
    when condition: When = nil
  ) -> Self {
    usingDatabase(name, .action(takes: nil, result: Result.jsonSchema, isConditional: condition != nil)) {
      model, change throws(SurfaceError) in
      try change.noValue()
      return PreparedChange(condition: condition?(model), giving: { try method(model)($0) })
    }
  }

  /// An action that takes a value.
  public static func action<Value: JSONRepresentable>(
    _ name: String, _ method: @escaping @Sendable (Model) -> (Value, DatabaseTransaction) throws -> Void,
    when condition: When = nil
  ) -> Self {
    usingDatabase(name, .action(takes: Value.jsonSchema, isConditional: condition != nil)) {
      model, change throws(SurfaceError) in
      let value = try change.value(Value.self)
      return PreparedChange(condition: condition?(model), with: { try method(model)(value, $0) })
    }
  }

  /// An action that takes a value. Its result is the `result` of the answer (PROTOCOL §3).
  public static func action<Value: JSONRepresentable, Result: JSONRepresentable>(
    _ name: String, _ method: @escaping @Sendable (Model) -> (Value, DatabaseTransaction) throws -> Result,
    when condition: When = nil
  ) -> Self {
    usingDatabase(name, .action(takes: Value.jsonSchema, result: Result.jsonSchema, isConditional: condition != nil)) {
      model, change throws(SurfaceError) in
      let value = try change.value(Value.self)
      return PreparedChange(condition: condition?(model), giving: { try method(model)(value, $0) })
    }
  }

  /// An action that takes two values, as the members of an object.
  ///
  /// ```swift
  /// .action("move", Board.move, takes: "card", "column")    // func move(_ card: String, _ column: Int, _ database: …)
  /// ```
  ///
  /// - Parameter first: the names of the members, one for each value, in their order.
  public static func action<First: JSONRepresentable, Second: JSONRepresentable>(
    _ name: String, _ method: @escaping @Sendable (Model) -> (First, Second, DatabaseTransaction) throws -> Void,
    takes first: String, _ second: String, when condition: When = nil, file: StaticString = #fileID,
    line: UInt = #line
  ) -> Self {
    let members = TakenMembers([first, second])
    let schema = members.schema([First.jsonSchema, Second.jsonSchema], of: name, file: file, line: line)
    return usingDatabase(name, .action(takes: schema, isConditional: condition != nil)) {
      model, change throws(SurfaceError) in
      let json = try members.values(of: change)
      let first: First = try members.value(0, of: json)
      let second: Second = try members.value(1, of: json)
      return PreparedChange(condition: condition?(model), with: { try method(model)(first, second, $0) })
    }
  }

  /// The same for three values. More of them are the members of a `Codable` type.
  public static func action<First: JSONRepresentable, Second: JSONRepresentable, Third: JSONRepresentable>(
    _ name: String, _ method: @escaping @Sendable (Model) -> (First, Second, Third, DatabaseTransaction) throws -> Void,
    takes first: String, _ second: String, _ third: String, when condition: When = nil, file: StaticString = #fileID,
    line: UInt = #line
  ) -> Self {
    let members = TakenMembers([first, second, third])
    let schema = members.schema(
      [First.jsonSchema, Second.jsonSchema, Third.jsonSchema], of: name, file: file, line: line)
    return usingDatabase(name, .action(takes: schema, isConditional: condition != nil)) {
      model, change throws(SurfaceError) in
      let json = try members.values(of: change)
      let first: First = try members.value(0, of: json)
      let second: Second = try members.value(1, of: json)
      let third: Third = try members.value(2, of: json)
      return PreparedChange(condition: condition?(model), with: { try method(model)(first, second, third, $0) })
    }
  }

  /// The same action, whose code the server may run more than once for a request.
  ///
  /// In PostgreSQL, an action is undone if another transaction has changed meanwhile what it has read. The server then does
  /// a repeatable one anew, up to ten times. Any other is answered `503`, and the client may ask for it again. In SQLite it
  /// does not happen. What the code does beside the view model and the database is done each time.
  ///
  /// - Precondition: it takes the database.
  public func repeatable(file: StaticString = #fileID, line: UInt = #line) -> Self {
    guard description?.databaseUse != nil else {
      refuseToStart(
        "'\(description?.name ?? "an entry")' of \(Model.self) is to be repeatable",
        expected: "an action that takes a DatabaseTransaction", remedy: "leave out 'repeatable()'", file: file,
        line: line)
    }
    var entry = self
    entry.description?.databaseUse = .repeatable
    return entry
  }

  private static func usingDatabase(
    _ name: String, _ form: EntryForm,
    _ prepare: @escaping @Sendable (Model, Change) throws(SurfaceError) -> PreparedChange
  ) -> Self {
    var entry = taking(name, form, prepare)
    entry.description?.databaseUse = .once
    return entry
  }
}
