// SPDX-License-Identifier: MIT

/// An error that the users of the view may read.
///
/// An error that a command throws is shown as its `error` if it is one of these; of any other, which may speak of things that are
/// no business of a client's, only that there was one, and the log has the rest.
public protocol PresentableError: Error {
  /// The kind of error, for programs: a word or a few, with hyphens.
  var type: String { get }
  /// The event in words, for a person.
  var detail: String { get }
}

/// The error of a command that took longer than its host allows (PROTOCOL §7).
public struct CommandTimedOut: PresentableError {
  public let limit: Duration
  public init(limit: Duration) { self.limit = limit }
  public var type: String { "timed-out" }
  public var detail: String { "it took longer than \(limit.components.seconds) s" }
}
