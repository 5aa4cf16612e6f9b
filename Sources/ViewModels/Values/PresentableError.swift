// SPDX-License-Identifier: MIT

/// An error whose text clients may see. A command that throws one shows it in its `error`. Of any other error clients
/// learn only that there was one, as it may speak of things that are not for them; the log has the rest.
///
/// An action that throws any error, this one too, is undone and answered `500` without details. To tell a person
/// something, let the action set a value that the page shows, or refuse the value of a ``Field``.
public protocol PresentableError: Error {
  /// The kind of error, for programs: a word or a few, with hyphens.
  var type: String { get }
  /// The event in words, for a person.
  var detail: String { get }
}

/// The error of a command that took longer than the server allows (PROTOCOL §7).
public struct CommandTimedOut: PresentableError {
  public let limit: Duration
  public init(limit: Duration) { self.limit = limit }
  public var type: String { "timed-out" }
  public var detail: String { "it took longer than \(limit.components.seconds) s" }
}
