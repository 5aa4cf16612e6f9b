// SPDX-License-Identifier: MIT
public import JSONPatching
public import ObservableCore

extension SurfaceEntry {
  /// A command. Performing it starts it, cancelling it cancels the runs, and the state has it as
  /// `{"enabled","executing","progress","result","error"}` (S1).
  ///
  /// Its `error` is `null`, or `{"type","detail"}` of the error (``PresentableError``).
  public static func command<Input: JSONRepresentable, Content: JSONRepresentable>(
    _ name: String, _ property: @escaping Property<Command<Input, Content>>
  ) -> Self {
    command(
      name, property, takes: Input.jsonSchema, result: Content.jsonSchema, write: { $0.write(to: &$1) },
      input: { change throws(SurfaceError) in try change.value(Input.self) },
      stored: .command(name) { property($0) })
  }

  /// A command that takes no value.
  public static func command<Content: JSONRepresentable>(
    _ name: String, _ property: @escaping Property<Command<Void, Content>>
  ) -> Self {
    command(
      name, property, takes: nil, result: Content.jsonSchema, write: { $0.write(to: &$1) },
      input: { change throws(SurfaceError) in try change.noValue() },
      stored: .command(name) { property($0) })
  }

  /// A command without a result: its `result` stays `null`.
  public static func command<Input: JSONRepresentable>(
    _ name: String, _ property: @escaping Property<Command<Input, Void>>
  ) -> Self {
    command(
      name, property, takes: Input.jsonSchema, result: .null, write: { $1.null() },
      input: { change throws(SurfaceError) in try change.value(Input.self) },
      stored: .command(name) { property($0) })
  }

  /// A command that takes no value and has no result: its `result` stays `null`.
  public static func command(_ name: String, _ property: @escaping Property<Command<Void, Void>>) -> Self {
    command(
      name, property, takes: nil, result: .null, write: { $1.null() },
      input: { change throws(SurfaceError) in try change.noValue() },
      stored: .command(name) { property($0) })
  }

  private static func command<Input, Content>(
    _ name: String, _ property: @escaping Property<Command<Input, Content>>, takes: JSONSchema?, result: JSONSchema,
    write: @escaping @Sendable (Content, inout JSONWriter) -> Void,
    input: @escaping @Sendable (Change) throws(SurfaceError) -> Input, stored: Surface<Model>.Stored
  ) -> Self {
    return Self(
      description: .init(name: name, form: .command(takes: takes, result: result)),
      output: .command(name) { audience in
        let shape = CommandState.shape(of: name, for: audience, write: write)
        return { CommandState.part(of: property($0), shape, for: audience) }
      },
      action: .init(Model.self, name) { model, change, _ throws(SurfaceError) in
        let command = property(model)
        if case .cancel = change.verb { return PreparedChange { command.cancel() } }
        let input = try input(change)
        return PreparedChange {
          // The graph decides on which actor the command runs.
          switch command.execute(input, isolation: nil) {
          case .started, .queued: break
          case .refused(.disabled): throw CommandRefused(error: .disabled(change.name))
          case .refused(let refusal): throw CommandRefused(error: .busy(change.name, reason: "\(refusal)"))
          }
        }
      },
      value: .init(Model.self, name, isPart: true) { _, change, _ throws(SurfaceError) in throw .readOnly(change.name)
      },
      stored: stored, command: { property($0) })
  }
}

extension ShownEntry {
  /// A command.
  ///
  /// - Parameter state: gives the code that makes its state. With an audience that is the state of a command that is for
  ///   these users alone.
  fileprivate static func command(
    _ name: String, _ state: @escaping @Sendable (Audience?) -> @Sendable (Model) -> ObjectPart
  ) -> Self {
    @Sendable func command(for audience: Audience?) -> Self {
      let part = state(audience)
      return Self(name: name) { .part(part($0)) }
    }
    var entry = command(for: nil)
    entry.enabledFor = { command(for: $0) }
    return entry
  }
}
