// SPDX-License-Identifier: MIT

/// The result of a run of a command: content or an error, never both (S1-5).
public enum CommandResult<Content> {
  /// The value that the operation returned.
  case content(Content)
  /// The error that the operation threw.
  case error(any Error)

  /// The content; `nil` for a run that failed.
  public var content: Content? {
    if case .content(let content) = self { content } else { nil }
  }

  /// The error; `nil` for a run that succeeded.
  public var error: (any Error)? {
    if case .error(let error) = self { error } else { nil }
  }

  /// Gives the content of a run that succeeded.
  ///
  /// - Throws: the error of a run that failed.
  public func get() throws -> Content {
    switch self {
    case .content(let content): return content
    case .error(let error): throw error
    }
  }
}
