// SPDX-License-Identifier: MIT

/// An error that whoever uses the view may read.
///
/// What a command throws is shown as its `error` if it is one of these; of any other, which may speak of things that are
/// no business of a client's, only that there was one, and the log has the rest.
public protocol PresentableError: Error {
  /// What kind of error it is, for programs: a word or a few, with hyphens.
  var type: String { get }
  /// What happened, for a person.
  var detail: String { get }
}

/// The error of a command that took longer than whoever hosts it allows (PROTOCOL §7).
public struct CommandTimedOut: PresentableError {
  public let limit: Duration
  public init(limit: Duration) { self.limit = limit }
  public var type: String { "timed-out" }
  public var detail: String { "it took longer than \(limit.components.seconds) s" }
}
