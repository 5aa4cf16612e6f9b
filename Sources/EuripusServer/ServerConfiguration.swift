// SPDX-License-Identifier: MIT

/// How a server listens, what it serves and what it allows.
public struct ServerConfiguration: Sendable {
  /// The address to listen on.
  public var host = "127.0.0.1"
  /// The port to listen on; 0 for any that is free.
  public var port: UInt16 = 8080
  /// Names by which the server is reached, besides `localhost`, `127.0.0.1` and `[::1]`.
  public var hostNames: [String] = []
  /// Where the static files are, relative to the current directory if it is not absolute; `nil` to serve none.
  public var publicDirectory: String?
  /// Threads that serve; `nil` for one a core, two at most.
  public var loops: Int?
  /// How long a session lives without a request.
  public var idleTime: Duration = .seconds(30 * 60)
  public var maxSessions = 50_000
  /// How long a run of a command may take before its error is `timed-out`; to the second.
  public var commandLimit: Duration = .seconds(30)
  public var maxBodyBytes = 65_536
  public var maxConnections = 12_000
  /// Where to write what an operator should know: a line without its end. It has no value that a client sent, unless a
  /// view model puts one into the text of an error that it throws.
  public var log: @Sendable (String) -> Void = { line in StandardError.write(line) }

  public init() {}
}
