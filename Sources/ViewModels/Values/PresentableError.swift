// SPDX-License-Identifier: MIT

/// An error that the users of the view may read.
///
/// If a command throws such an error, the command's `error` shows it. Of any other error clients learn only
/// that there was one, as it may speak of things that are not for them; the log has the rest.
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
