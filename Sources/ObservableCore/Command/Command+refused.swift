// SPDX-License-Identifier: MIT

/// The refusal of methods that would leave their actor: the overload that fits such a method alone is deprecated, and throws,
/// which a property's initial value may not. So it is an error of the compiler's, beside the sentence with the remedy. In a
/// function that throws it is the warning alone, and the making of the command throws.
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
