// SPDX-License-Identifier: MIT
public import Logging

/// The log of a server.
public struct LogConfiguration: Sendable {
  /// The logger for all that an operator should know; by default lines of text on the standard error. It gets no body,
  /// credential, cookie, query, secret or state, unless a view model puts one into the text of an error that it throws.
  public var logger = Logger(label: "euripus") { _ in LineLogHandler() }
  /// Whether each request is in the log at `info`; it is at `debug` if not. It says method, route, status, time, bytes and
  /// address.
  public var hasRequests = false

  public init() {}
}
