// SPDX-License-Identifier: MIT

/// The refusal of methods that would leave their actor. The overload that fits such a method alone is
/// deprecated, and throws, which a property's initial value may not. So the compiler reports an error, beside
/// the message with the remedy. In a function that throws there is only the warning, and making the command
/// throws.
extension Command {
  @available(
    *, deprecated,
    message:
      "an async method has to stay in its session: add .enableUpcomingFeature(\"NonisolatedNonsendingByDefault\") to the swiftSettings of the target, or write 'nonisolated(nonsending)' before 'func'"
  )
  public convenience init<Owner: AnyObject>(
    _ owner: Owner, _ method: @escaping @Sendable (Owner) -> @concurrent (Input, CommandRun) async throws -> Content,
    policy: CommandPolicy = .refuse, when condition: ObservableValue<Bool>? = nil, name: StaticString = "",
    file: StaticString = #fileID, line: UInt = #line, onCancel: ((Owner) -> Void)? = nil, _concurrent: Void = ()
  ) throws {
    throw ObservableError.leavesItsActor("\(Origin(name: "\(name)", file: "\(file)", line: Int(line)))")
  }

  @available(
    *, deprecated,
    message:
      "an async method has to stay in its session: add .enableUpcomingFeature(\"NonisolatedNonsendingByDefault\") to the swiftSettings of the target, or write 'nonisolated(nonsending)' before 'func'"
  )
  public convenience init<Owner: AnyObject>(
    _ owner: Owner, _ method: @escaping @Sendable (Owner) -> @concurrent (Input) async throws -> Content,
    policy: CommandPolicy = .refuse, when condition: ObservableValue<Bool>? = nil, name: StaticString = "",
    file: StaticString = #fileID, line: UInt = #line, onCancel: ((Owner) -> Void)? = nil, _concurrent: Void = ()
  ) throws {
    throw ObservableError.leavesItsActor("\(Origin(name: "\(name)", file: "\(file)", line: Int(line)))")
  }

  @available(
    *, deprecated,
    message:
      "an async method has to stay in its session: add .enableUpcomingFeature(\"NonisolatedNonsendingByDefault\") to the swiftSettings of the target, or write 'nonisolated(nonsending)' before 'func'"
  )
  public convenience init<Owner: AnyObject>(
    _ owner: Owner, _ method: @escaping @Sendable (Owner) -> @concurrent (CommandRun) async throws -> Content,
    policy: CommandPolicy = .refuse, when condition: ObservableValue<Bool>? = nil, name: StaticString = "",
    file: StaticString = #fileID, line: UInt = #line, onCancel: ((Owner) -> Void)? = nil, _concurrent: Void = ()
  ) throws where Input == Void {
    throw ObservableError.leavesItsActor("\(Origin(name: "\(name)", file: "\(file)", line: Int(line)))")
  }

  @available(
    *, deprecated,
    message:
      "an async method has to stay in its session: add .enableUpcomingFeature(\"NonisolatedNonsendingByDefault\") to the swiftSettings of the target, or write 'nonisolated(nonsending)' before 'func'"
  )
  public convenience init<Owner: AnyObject>(
    _ owner: Owner, _ method: @escaping @Sendable (Owner) -> @concurrent () async throws -> Content,
    policy: CommandPolicy = .refuse, when condition: ObservableValue<Bool>? = nil, name: StaticString = "",
    file: StaticString = #fileID, line: UInt = #line, onCancel: ((Owner) -> Void)? = nil, _concurrent: Void = ()
  ) throws where Input == Void {
    throw ObservableError.leavesItsActor("\(Origin(name: "\(name)", file: "\(file)", line: Int(line)))")
  }
}
