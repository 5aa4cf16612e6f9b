// SPDX-License-Identifier: MIT
import JSONPatching
import ObservableCore

/// A command in the state (PROTOCOL §6).
enum CommandState {
  /// The shape of the state of all commands of one entry of a surface.
  ///
  /// - Parameters:
  ///   - name: the name of the entry.
  ///   - audience: the users that the command is for; `nil` for all.
  ///   - write: writes a result of the command.
  static func shape<Content>(
    of name: String, for audience: Audience? = nil, write: @escaping @Sendable (Content, inout JSONWriter) -> Void
  ) -> ObjectShape {
    ObjectShape(
      "command", of: name,
      [
        ("enabled", ShownInRoom(ShownJSON<Bool>(), audience, others: "false")), ("executing", ShownJSON<Bool>()),
        ("progress", ShownInRoom(ShownJSON<Double?>(), audience)),
        ("result", ShownInRoom(ShownResult(write), audience)),
        ("error", ShownInRoom(ShownError(), audience)),
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

/// A value of a command that is for some users. The others in a room are shown something else in its place.
private final class ShownInRoom<Value>: ShownSource {
  private let shown: any ShownSource<Value>
  let roomAudience: Audience?
  let jsonForOthers: [UInt8]?

  init(_ shown: any ShownSource<Value>, _ audience: Audience?, others: String = "null") {
    (self.shown, roomAudience, jsonForOthers) = (shown, audience, Array(others.utf8))
  }

  func write(_ value: Value, to writer: inout JSONWriter) { shown.write(value, to: &writer) }
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
