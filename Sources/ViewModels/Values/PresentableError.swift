// SPDX-License-Identifier: MIT

/// An error whose text clients may see. A command that throws one shows it in its `error`. An action that throws one is undone
/// and answered `422 refused` with its `detail`, which the page shows at the button (PROTOCOL §7).
///
/// Clients learn of any other error only that there was one, as it may speak of things that are not for them; the log has
/// the rest. An action that throws such an error is answered `500 internal`.
///
/// ```swift
/// struct NotYours: PresentableError {
///   let type = "not-yours"
///   let detail = "Only the person who has brought a dish may take it away."
/// }
/// ```
///
/// A value that a person has typed wrong is better refused at its ``Field``.
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
