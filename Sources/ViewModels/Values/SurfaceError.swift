// SPDX-License-Identifier: MIT
public import JSONPatching

/// The reason why a surface refused a change; nothing has changed.
public enum SurfaceError: Error, CustomStringConvertible {
  case noSuchAction(String, model: String, expected: [String])
  case noSuchValue(String, model: String, expected: [String])
  /// The list has no row with this key, or does not show it.
  case noSuchRow(String)
  /// The view model that has it may be absent, and is absent now.
  case absent(String)
  /// The name is that of an action, which has no run to cancel.
  case notACommand(String)
  /// The value is one that the view sees and cannot write.
  case readOnly(String)
  /// The name is that of a form's field, of which only the value can be written.
  case field(String)
  /// The view model's condition for the action, or for writing the value, is false.
  case disabled(String)
  /// The entry is for other users.
  case notAllowed(String, for: String)
  /// The command is executing, and its policy takes no further run.
  case busy(String, reason: String)
  /// The state would have more bytes than its limit.
  case stateTooLong(length: Int, limit: Int)
  /// The action was to invite somebody, and as many are as may be.
  case tooManyInvited(TooManyInvited)
  /// The value is of another type.
  case mismatch(JSONMismatch)

  public var description: String {
    switch self {
    case .noSuchAction(let name, let model, let expected):
      "no action '\(name)' on \(model); expected one of: \(expected.sorted().joined(separator: ", "))"
    case .noSuchValue(let name, let model, let expected):
      "no value '\(name)' on \(model); expected one of: \(expected.joined(separator: ", "))"
    case .noSuchRow(let name): "no row '\(name)': it never was, or it was removed"
    case .absent(let name): "no '\(name)' now: the view model that has it is absent"
    case .notACommand(let name): "'\(name)' is no command, and cannot be cancelled"
    case .readOnly(let name): "'\(name)' is read-only: the view sees it and cannot write it"
    case .field(let name): "'\(name)' is a field of a form; expected '\(name)/value', which is written"
    case .disabled(let name): "'\(name)' is disabled now by the view model"
    case .notAllowed(let name, let audience): "'\(name)' is for \(audience) alone"
    case .busy(let name, let reason): "'\(name)' takes no more now: \(reason)"
    case .stateTooLong(let length, let limit): "the state would have \(length) bytes; it may have \(limit)"
    case .tooManyInvited(let error): "\(error)"
    case .mismatch(let mismatch): "\(mismatch)"
    }
  }
}

extension SurfaceError {
  /// Whether no change before it in the same batch could help.
  var isLasting: Bool {
    switch self {
    case .noSuchAction, .noSuchValue, .notACommand, .readOnly, .field, .mismatch: true
    case .noSuchRow, .absent, .disabled, .notAllowed, .busy, .stateTooLong, .tooManyInvited: false
    }
  }
}

/// An error that a view model threw. It is never the client's fault, even if it is a `SurfaceError`.
public struct ViewModelFailure: Error, CustomStringConvertible {
  public let cause: any Error

  /// The error, if it is one for people: the view model has refused in words.
  package var refusal: (any PresentableError)? { cause as? any PresentableError }

  public var description: String { "\(type(of: cause)): \(cause)" }

  /// Runs code of the view model, and wraps its error.
  static func wrapping<Result>(_ body: () throws -> Result) throws(ViewModelFailure) -> Result {
    do { return try body() } catch { throw ViewModelFailure(cause: error) }
  }
}
