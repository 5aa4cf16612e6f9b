// SPDX-License-Identifier: MIT
import JSONPatching
import ObservableCore

/// What a client asks of a path of a surface.
struct SurfaceRequest {
  enum Verb {
    /// Performs an action or starts a command; `nil` stands for an empty body.
    case perform(JSON?)
    /// Sets a two-way value or a secret.
    case assign(JSON)
    /// Cancels a command.
    case cancel
  }

  let verb: Verb
  /// The whole path, for what is said of it.
  let path: [String]

  var name: String { path.count == 1 ? path[0] : path.joined(separator: "/") }

  /// The value that came, as one of the type that was declared.
  func value<Value: JSONRepresentable>(_: Value.Type) throws(SurfaceError) -> Value {
    let json: JSON
    switch verb {
    case .assign(let value), .perform(let value?): json = value
    case .perform(nil), .cancel:
      throw .mismatch(JSONMismatch(expected: Value.jsonTypeName, found: "no value"))
    }
    do throws(JSONMismatch) { return try Value(json: json) } catch { throw .mismatch(error) }
  }

  /// - Throws: `SurfaceError.mismatch`, if a value came.
  func noValue() throws(SurfaceError) {
    // `null` is how a client that always sends a value says that there is none.
    if case .perform(let value?) = verb, value != .null {
      throw .mismatch(JSONMismatch(expected: "no value", found: value))
    }
  }
}

/// A request that fits the surface: what it does, to be done in a transaction, while its condition holds.
struct PreparedChange {
  var condition: ObservableValue<Bool>?
  /// - Throws: what the view model threw, or `CommandRefused`.
  let perform: () throws -> Void
}

/// A refusal by a command of the surface. Not the error itself, which a view model may have thrown.
struct CommandRefused: Error {
  let error: SurfaceError
}
