// SPDX-License-Identifier: MIT
public import JSONPatching

/// The reason for which a surface refused a change; nothing was changed.
public enum SurfaceError: Error, CustomStringConvertible {
  case noSuchAction(String, model: String, expected: [String])
  case noSuchValue(String, model: String, expected: [String])
  /// The list has no row, or shows none, with this key.
  case noSuchRow(String)
  /// The view model that has it is one that may be absent, and is.
  case absent(String)
  /// The view model has nothing in the address.
  case noAddress(model: String)
  /// The action is one that is over when it returns.
  case notACommand(String)
  /// The value is one that the view only sees.
  case readOnly(String)
  /// The value is a field of a form, of which the value alone is written.
  case field(String)
  /// The view model's condition for the action, or for writing the value, does not hold.
  case disabled(String)
  /// The surface has it for other users alone.
  case notAllowed(String, for: String)
  /// The command is executing, and its policy is to take no more.
  case busy(String, reason: String)
  /// The state would have more bytes than it may.
  case stateTooLong(length: Int, limit: Int)
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
    case .noAddress(let model): "no address on \(model): nothing of its surface is in one"
    case .notACommand(let name): "'\(name)' is no command, and cannot be cancelled"
    case .readOnly(let name): "'\(name)' is read-only: the view sees it and cannot write it"
    case .field(let name): "'\(name)' is a field of a form; expected '\(name)/value', which is written"
    case .disabled(let name): "'\(name)' is disabled now by the view model"
    case .notAllowed(let name, let audience): "'\(name)' is for \(audience) alone"
    case .busy(let name, let reason): "'\(name)' takes no more now: \(reason)"
    case .stateTooLong(let length, let limit): "the state would have \(length) bytes; it may have \(limit)"
    case .mismatch(let mismatch): "\(mismatch)"
    }
  }
}

extension SurfaceError {
  /// Whether nothing that the same batch does before could help.
  var isLasting: Bool {
    switch self {
    case .noSuchAction, .noSuchValue, .noAddress, .notACommand, .readOnly, .field, .mismatch: true
    case .noSuchRow, .absent, .disabled, .notAllowed, .busy, .stateTooLong: false
    }
  }
}

/// An error that a view model threw: never the client's fault, whatever its type.
public struct ViewModelFailure: Error, CustomStringConvertible {
  public let cause: any Error

  public var description: String { "\(type(of: cause)): \(cause)" }

  /// Runs code of the view model's.
  static func wrapping<Result>(_ body: () throws -> Result) throws(ViewModelFailure) -> Result {
    do { return try body() } catch { throw ViewModelFailure(cause: error) }
  }
}
