// SPDX-License-Identifier: MIT
public import JSONPatching
public import ObservableCore

/// Commands that are async methods of the view model.
///
/// ```swift
/// .command("publish", Article.publish)        // func publish(_ note: String, _ run: CommandRun) async throws -> Int
/// ```
///
/// The method stays in its session before and after each `await`. After its run was cancelled, its further
/// writes to observables are undone. It keeps the view model alive. When a row is removed from its list, its
/// run is cancelled.
extension SurfaceEntry {
  /// A command that takes a value, and has a result; its method gets the run as well.
  public static func command<Input: JSONRepresentable, Content: JSONRepresentable>(
    _ name: String,
    _ method: @escaping @Sendable (Model) -> nonisolated(nonsending) (Input, CommandRun) async throws -> Content,
    policy: CommandPolicy = .refuse, when condition: When = nil
  ) -> Self {
    command(
      name,
      MethodCommand.property(name, condition) {
        Command<Input, Content>($0, method, policy: policy, when: $1, file: "", line: 0)
      }
    ).ofMethod
  }

  /// A command that takes a value; its method gets the run as well.
  public static func command<Input: JSONRepresentable>(
    _ name: String,
    _ method: @escaping @Sendable (Model) -> nonisolated(nonsending) (Input, CommandRun) async throws -> Void,
    policy: CommandPolicy = .refuse, when condition: When = nil
  ) -> Self {
    command(
      name,
      MethodCommand.property(name, condition) {
        Command<Input, Void>($0, method, policy: policy, when: $1, file: "", line: 0)
      }
    ).ofMethod
  }

  /// A command that takes a value, and has a result.
  public static func command<Input: JSONRepresentable, Content: JSONRepresentable>(
    _ name: String, _ method: @escaping @Sendable (Model) -> nonisolated(nonsending) (Input) async throws -> Content,
    policy: CommandPolicy = .refuse, when condition: When = nil
  ) -> Self {
    command(
      name,
      MethodCommand.property(name, condition) {
        Command<Input, Content>($0, method, policy: policy, when: $1, file: "", line: 0)
      }
    ).ofMethod
  }

  /// A command that takes a value.
  public static func command<Input: JSONRepresentable>(
    _ name: String, _ method: @escaping @Sendable (Model) -> nonisolated(nonsending) (Input) async throws -> Void,
    policy: CommandPolicy = .refuse, when condition: When = nil
  ) -> Self {
    command(
      name,
      MethodCommand.property(name, condition) {
        Command<Input, Void>($0, method, policy: policy, when: $1, file: "", line: 0)
      }
    ).ofMethod
  }

  /// A command that takes no value, and has a result; its method gets the run as well.
  public static func command<Content: JSONRepresentable>(
    _ name: String,
    _ method: @escaping @Sendable (Model) -> nonisolated(nonsending) (CommandRun) async throws -> Content,
    policy: CommandPolicy = .refuse, when condition: When = nil
  ) -> Self {
    command(
      name,
      MethodCommand.property(name, condition) {
        Command<Void, Content>($0, method, policy: policy, when: $1, file: "", line: 0)
      }
    ).ofMethod
  }

  /// A command that takes no value; its method gets the run as well.
  public static func command(
    _ name: String, _ method: @escaping @Sendable (Model) -> nonisolated(nonsending) (CommandRun) async throws -> Void,
    policy: CommandPolicy = .refuse, when condition: When = nil
  ) -> Self {
    command(
      name,
      MethodCommand.property(name, condition) {
        Command<Void, Void>($0, method, policy: policy, when: $1, file: "", line: 0)
      }
    ).ofMethod
  }

  /// A command that takes no value, and has a result.
  public static func command<Content: JSONRepresentable>(
    _ name: String, _ method: @escaping @Sendable (Model) -> nonisolated(nonsending) () async throws -> Content,
    policy: CommandPolicy = .refuse, when condition: When = nil
  ) -> Self {
    command(
      name,
      MethodCommand.property(name, condition) {
        Command<Void, Content>($0, method, policy: policy, when: $1, file: "", line: 0)
      }
    ).ofMethod
  }

  /// A command that takes no value.
  public static func command(
    _ name: String, _ method: @escaping @Sendable (Model) -> nonisolated(nonsending) () async throws -> Void,
    policy: CommandPolicy = .refuse, when condition: When = nil
  ) -> Self {
    command(
      name,
      MethodCommand.property(name, condition) {
        Command<Void, Void>($0, method, policy: policy, when: $1, file: "", line: 0)
      }
    ).ofMethod
  }

  /// Refuses a method that would leave its session.
  ///
  /// The compiler chooses it for such a method alone: it is deprecated, so any other one that fits is
  /// preferred. It throws, which neither a surface nor a property may, so it is an error of the compiler,
  /// beside this message.
  @available(
    *, deprecated,
    message:
      "an async method has to stay in its session: add .enableUpcomingFeature(\"NonisolatedNonsendingByDefault\") to the swiftSettings of the target, or write 'nonisolated(nonsending)' before 'func'"
  )
  public static func command<each Value, Content>(
    _ name: String, _ method: @escaping @Sendable (Model) -> @concurrent (repeat each Value) async throws -> Content,
    policy: CommandPolicy = .refuse, when condition: When = nil, _concurrent: Void = ()
  ) throws -> Self {
    throw ObservableError.leavesItsActor(name)
  }

  /// The same entry, whose command the graph keeps and not the view model.
  private var ofMethod: Self {
    var entry = self
    entry.command = nil
    return entry
  }
}
