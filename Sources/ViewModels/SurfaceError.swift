// SPDX-License-Identifier: MIT
public import JSONPatching

/// Why a surface refused; nothing was changed.
public enum SurfaceError: Error, CustomStringConvertible {
  case noSuchAction(String, model: String, expected: [String])
  case noSuchValue(String, model: String, expected: [String])
  /// The value is one that the view only sees.
  case readOnly(String)
  /// A secret cannot be read.
  case unreadable(String)
  /// The view model's condition for the action, or for writing the value, does not hold.
  case disabled(String)
  /// The value is of another type.
  case mismatch(JSONMismatch)

  public var description: String {
    switch self {
    case .noSuchAction(let name, let model, let expected):
      "no action '\(name)' on \(model); expected one of: \(expected.sorted().joined(separator: ", "))"
    case .noSuchValue(let name, let model, let expected):
      "no value '\(name)' on \(model); expected one of: \(expected.joined(separator: ", "))"
    case .readOnly(let name): "'\(name)' is read-only: the view sees it and cannot write it"
    case .unreadable(let name): "'\(name)' is a secret: it can be written and not read"
    case .disabled(let name): "'\(name)' is disabled now by the view model"
    case .mismatch(let mismatch): "\(mismatch)"
    }
  }
}

extension SurfaceError {
  /// A client's value as one of the type that was declared.
  static func reading<Value: JSONRepresentable>(_ json: JSON) throws(SurfaceError) -> Value {
    do throws(JSONMismatch) { return try Value(json: json) } catch { throw .mismatch(error) }
  }
}

/// What a view model threw: never the client's fault, whatever its type.
public struct ViewModelFailure: Error, CustomStringConvertible {
  public let cause: any Error

  public var description: String { "\(type(of: cause)): \(cause)" }

  /// Runs code of the view model's.
  static func wrapping<Result>(_ body: () throws -> Result) throws(ViewModelFailure) -> Result {
    do { return try body() } catch { throw ViewModelFailure(cause: error) }
  }
}
