// SPDX-License-Identifier: MIT
import JSONPatching
import ObservableCore

/// The error of a command that was executing when the server stopped. Its effects outside the server are not
/// known.
public struct CommandInterrupted: PresentableError {
  public init() {}
  public var type: String { "interrupted" }
  public var detail: String { "the server stopped while this was executing; it was not started again" }
}

extension Surface.Stored {
  static func command<Input, Content: JSONRepresentable>(
    _ name: String, _ command: @escaping @Sendable (Model) -> Command<Input, Content>
  ) -> Surface<Model>.Stored {
    self.command(name, command, write: { $0.write(to: &$1) }) { json, restoration throws(StoredStateError) in
      try restoration.value(json, as: Content.self)
    }
  }

  /// A command without a result.
  static func command<Input>(
    _ name: String, _ command: @escaping @Sendable (Model) -> Command<Input, Void>
  ) -> Surface<Model>.Stored {
    self.command(name, command, write: { $1.null() }) { _, _ in () }
  }

  private static func command<Input, Content>(
    _ name: String, _ command: @escaping @Sendable (Model) -> Command<Input, Content>,
    write: @escaping @Sendable (Content, inout JSONWriter) -> Void,
    read: @escaping @Sendable (JSON, Restoration) throws(StoredStateError) -> Content?
  ) -> Surface<Model>.Stored {
    let label = OutputLabel(name)
    return Surface<Model>.Stored(
      name: name,
      write: { model, _, writer in
        let command = command(model)
        let (isExecuting, result, error) = (command.executing.value, command.result.value, command.error.value)
        // Most commands have done nothing yet.
        if !isExecuting, result == nil, error == nil { return }
        writer.rawPrefix(label.member)
        writer.beginObject()
        if isExecuting {
          writer.key("executing")
          writer.bool(true)
        }
        if let content = result?.content {
          writer.key("result")
          write(content, &writer)
        }
        if let error {
          writer.key("error")
          CommandErrorShown(error).write(to: &writer)
        }
        writer.endObject()
      },
      sources: { model in
        let command = command(model)
        return [command.executing, command.result, command.error]
      },
      putBack: { model, object, restoration in
        guard let json = object[name] else { return }
        try restoration.below(name) {
          guard case .object = json else {
            throw restoration.unreadable("expected an object for a command, got \(json.kindInWords)")
          }
          var isExecuting = false
          var result: CommandResult<Content>?
          var error: CommandErrorShown?
          try restoration.below("executing") {
            if let json = json["executing"] { isExecuting = try restoration.value(json, as: Bool.self) ?? false }
          }
          try restoration.below("error") {
            if let json = json["error"] { error = try restoration.value(json, as: CommandErrorShown.self) }
          }
          try restoration.below("result") {
            if let json = json["result"] { result = try read(json, restoration).map { .content($0) } }
          }
          // An error without a result may be that of an observer which was told of a result.
          if result == nil, let error { result = .error(error) }
          let (command, found) = (command(model), (isExecuting, result, error))
          restoration.gather { command.putBack(isExecuting: found.0, result: found.1, error: found.2) }
        }
      },
      losses: { model, losses in
        let command = command(model)
        guard command.executing.value else { return }
        losses.ends.append { command.interrupt(with: CommandInterrupted()) }
        losses.tellings.append {
          try ViewModelFailure.wrapping { try transaction(.undo) { (model as? any ViewModel)?.didInterrupt(name) } }
        }
      })
  }
}
