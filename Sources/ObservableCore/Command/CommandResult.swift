// SPDX-License-Identifier: MIT

/// What a run of a command came to: content or an error, never both (S1-5).
public enum CommandResult<Content> {
  /// What the operation returned.
  case content(Content)
  /// What the operation threw.
  case error(any Error)

  /// The content, of a run that succeeded.
  public var content: Content? {
    if case .content(let content) = self { content } else { nil }
  }

  /// The error, of a run that failed.
  public var error: (any Error)? {
    if case .error(let error) = self { error } else { nil }
  }

  /// The content, of a run that succeeded.
  ///
  /// - Throws: the error, of a run that failed.
  public func get() throws -> Content {
    switch self {
    case .content(let content): return content
    case .error(let error): throw error
    }
  }
}
