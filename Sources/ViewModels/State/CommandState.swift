// SPDX-License-Identifier: MIT
import JSONPatching
import ObservableCore

/// A command as the state has it (PROTOCOL §6).
enum CommandState {
  /// - Parameter write: writes what the command came to.
  static func shape<Content>(write: @escaping @Sendable (Content, inout JSONWriter) -> Void) -> ObjectShape {
    ObjectShape(
      "command",
      [
        ("enabled", .value(OutputFace(Bool.self))),
        ("executing", .value(OutputFace(Bool.self))),
        ("progress", .value(OutputFace(Double?.self))),
        (
          "result",
          .value(
            OutputFace(CommandResult<Content>?.self) { result, writer in
              if let content = result?.content { write(content, &writer) } else { writer.null() }
            })
        ),
        (
          "error",
          .value(
            OutputFace((any Error)?.self) { error, writer in
              if let error { CommandErrorShown(error).write(to: &writer) } else { writer.null() }
            })
        ),
      ])
  }

  static func contents<Input, Content>(_ command: Command<Input, Content>) -> [ObjectPart.Content] {
    [
      .value(command.enabled), .value(command.executing), .value(command.progress), .value(command.result),
      .value(command.error),
    ]
  }
}
