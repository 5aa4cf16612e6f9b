// SPDX-License-Identifier: MIT
import JSONPatching
import ObservableCore

/// A command in the state (PROTOCOL §6).
enum CommandState {
  /// The shape of the state of all commands of one entry of a surface.
  ///
  /// - Parameters:
  ///   - name: the name of the entry.
  ///   - write: writes a result of the command.
  static func shape<Content>(
    of name: String, write: @escaping @Sendable (Content, inout JSONWriter) -> Void
  ) -> ObjectShape {
    ObjectShape(
      "command", of: name,
      [
        ("enabled", ShownJSON<Bool>()), ("executing", ShownJSON<Bool>()), ("progress", ShownJSON<Double?>()),
        ("result", ShownResult(write)), ("error", ShownError()),
      ])
  }

  /// - Parameter audience: the users that the command is for; `nil` for all.
  static func part<Input, Content>(
    of command: Command<Input, Content>, _ shape: ObjectShape, for audience: Audience? = nil
  ) -> ObjectPart {
    var enabled: Node = command.enabled
    if let audience { enabled = Computed { [own = command.enabled] in try own.get() && audience.isPresent } }
    return ObjectPart(
      shape,
      [
        .value(enabled), .value(command.executing), .value(command.progress), .value(command.result),
        .value(command.error),
      ])
  }
}

/// The last result of a command, or `null`.
private final class ShownResult<Content>: ShownSource {
  private let writeContent: @Sendable (Content, inout JSONWriter) -> Void

  init(_ write: @escaping @Sendable (Content, inout JSONWriter) -> Void) { writeContent = write }

  func write(_ result: CommandResult<Content>?, to writer: inout JSONWriter) {
    if let content = result?.content { writeContent(content, &writer) } else { writer.null() }
  }
}

/// The last error of a command, or `null`.
private final class ShownError: ShownSource {
  func write(_ error: (any Error)?, to writer: inout JSONWriter) {
    if let error { CommandErrorShown(error).write(to: &writer) } else { writer.null() }
  }
}
