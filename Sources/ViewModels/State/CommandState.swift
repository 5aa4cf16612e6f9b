// SPDX-License-Identifier: MIT
import JSONPatching
import ObservableCore

/// A command as the state has it (PROTOCOL §6).
enum CommandState {
  private static let shape = ObjectShape("command", ["enabled", "executing", "progress", "result", "error"])

  /// - Parameter write: writes a result of the command.
  static func part<Input, Content>(
    of command: Command<Input, Content>, write: @escaping @Sendable (Content, inout JSONWriter) -> Void
  ) -> ObjectPart {
    ObjectPart(
      shape,
      [
        .value(ShownJSON(command.enabled)), .value(ShownJSON(command.executing)), .value(ShownJSON(command.progress)),
        .value(ShownResult(command.result, write)), .value(ShownError(command.error)),
      ])
  }
}

/// The last result of a command, or `null`.
private final class ShownResult<Content>: ShownSource<CommandResult<Content>?> {
  private let writeContent: @Sendable (Content, inout JSONWriter) -> Void

  init(
    _ source: ObservableValue<CommandResult<Content>?>, _ write: @escaping @Sendable (Content, inout JSONWriter) -> Void
  ) {
    writeContent = write
    super.init(source)
  }

  override func write(_ result: CommandResult<Content>?, to writer: inout JSONWriter) {
    if let content = result?.content { writeContent(content, &writer) } else { writer.null() }
  }
}

/// The last error of a command, or `null`.
private final class ShownError: ShownSource<(any Error)?> {
  override func write(_ error: (any Error)?, to writer: inout JSONWriter) {
    if let error { CommandErrorShown(error).write(to: &writer) } else { writer.null() }
  }
}
