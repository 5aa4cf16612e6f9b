// SPDX-License-Identifier: MIT
public import Logging

/// The log of a server.
public struct LogConfiguration: Sendable {
  /// The logger for everything that an operator should know. By default it writes lines of text to the standard
  /// error. It gets no body, credential, cookie, query, secret or state, unless a view model puts one into the
  /// text of an error that it throws.
  public var logger = Logger(label: "euripus") { _ in LineLogHandler() }
  /// Whether each request is logged at `info` instead of `debug`. The line has the method, route, status, time,
  /// bytes and address.
  public var hasRequests = false

  public init() {}
}
