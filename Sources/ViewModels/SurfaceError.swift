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
