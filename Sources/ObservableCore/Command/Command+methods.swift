// SPDX-License-Identifier: MIT

/// Commands whose operation is an async method of their owner.
///
/// ```swift
/// lazy var publish = Command(self, Article.publishNow)
/// func publishNow(_ note: String, _ run: CommandRun) async throws -> Int { … }
/// ```
///
/// The method keeps the owner alive until it returns. In a session, its writes to observables after the run was
/// cancelled are undone. Elsewhere the method has to ask ``CommandRun/isCancelled``.
extension Command {
  /// A command whose operation is a method that takes the input and the run.
  public convenience init<Owner: AnyObject>(
    _ owner: Owner,
    _ method: @escaping @Sendable (Owner) -> nonisolated(nonsending) (Input, CommandRun) async throws -> Content,
    policy: CommandPolicy = .refuse, when condition: ObservableValue<Bool>? = nil, name: StaticString = "",
    file: StaticString = #fileID, line: UInt = #line, onCancel: ((Owner) -> Void)? = nil
  ) {
    self.init(
      owner, policy: policy, when: condition, name: name, file: file, line: line,
      operation: { me, input, run in
        try await method(me())(input, run)
      }, onCancel: onCancel)
  }

  /// A command whose operation is a method that takes the input.
  public convenience init<Owner: AnyObject>(
    _ owner: Owner, _ method: @escaping @Sendable (Owner) -> nonisolated(nonsending) (Input) async throws -> Content,
    policy: CommandPolicy = .refuse, when condition: ObservableValue<Bool>? = nil, name: StaticString = "",
    file: StaticString = #fileID, line: UInt = #line, onCancel: ((Owner) -> Void)? = nil
  ) {
    self.init(
      owner, policy: policy, when: condition, name: name, file: file, line: line,
      operation: { me, input, run in
        try await method(me())(input)
      }, onCancel: onCancel)
  }

  /// A command whose operation is a method that takes the run. Write its types out, as in `Command<Void,
  /// Int>(self, …)`, since the run could also be the input.
  public convenience init<Owner: AnyObject>(
    _ owner: Owner,
    _ method: @escaping @Sendable (Owner) -> nonisolated(nonsending) (CommandRun) async throws -> Content,
    policy: CommandPolicy = .refuse, when condition: ObservableValue<Bool>? = nil, name: StaticString = "",
    file: StaticString = #fileID, line: UInt = #line, onCancel: ((Owner) -> Void)? = nil
  ) where Input == Void {
    self.init(
      owner, policy: policy, when: condition, name: name, file: file, line: line,
      operation: { me, input, run in
        try await method(me())(run)
      }, onCancel: onCancel)
  }

  /// A command whose operation is a method that takes nothing.
  public convenience init<Owner: AnyObject>(
    _ owner: Owner, _ method: @escaping @Sendable (Owner) -> nonisolated(nonsending) () async throws -> Content,
    policy: CommandPolicy = .refuse, when condition: ObservableValue<Bool>? = nil, name: StaticString = "",
    file: StaticString = #fileID, line: UInt = #line, onCancel: ((Owner) -> Void)? = nil
  ) where Input == Void {
    self.init(
      owner, policy: policy, when: condition, name: name, file: file, line: line,
      operation: { me, input, run in
        try await method(me())()
      }, onCancel: onCancel)
  }
}
