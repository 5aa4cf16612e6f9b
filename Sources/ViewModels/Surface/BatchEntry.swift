// SPDX-License-Identifier: MIT
public import JSONPatching

/// One of many things that a client does at once (PROTOCOL §4). Paths are a JSON Pointer's tokens, unescaped.
public enum BatchEntry: Sendable {
  /// Sets a two-way value or a secret.
  case assign([String], JSON)
  /// Performs an action or starts a command; `nil` where no value came.
  case perform([String], JSON?)
  /// Cancels a command.
  case cancel([String])

  public var path: [String] {
    switch self {
    case .assign(let path, _), .perform(let path, _), .cancel(let path): path
    }
  }

  var request: SurfaceRequest {
    switch self {
    case .assign(let path, let value): SurfaceRequest(verb: .assign(value), path: path)
    case .perform(let path, let value): SurfaceRequest(verb: .perform(value), path: path)
    case .cancel(let path): SurfaceRequest(verb: .cancel, path: path)
    }
  }
}

/// Why a surface refused a batch; nothing of it was applied.
public struct BatchRefused: Error, CustomStringConvertible {
  /// The entries that are refused, in their order.
  public let entries: [(index: Int, error: SurfaceError)]

  public init(entries: [(index: Int, error: SurfaceError)]) { self.entries = entries }

  public var description: String { entries.map { "entry \($0.index): \($0.error)" }.joined(separator: "; ") }
}

extension SurfaceError {
  /// Whether nothing that the same batch does before could help.
  var isLasting: Bool {
    switch self {
    case .noSuchAction, .noSuchValue, .notACommand, .readOnly, .mismatch: true
    case .noSuchRow, .absent, .disabled, .busy, .stateTooLong: false
    }
  }
}
