// SPDX-License-Identifier: MIT
import Euripus
import Logging

/// The settings of `serve`: the server's configuration, and those of the command line's own.
struct ServeSettings: Sendable {
  var server = ServerConfiguration()
  /// Threads that serve; `nil` for as many as the listener has by default.
  var loops: Int?
  /// Whether a process of its own starts the server again when it dies.
  var supervise = false
  /// The directory of the reports on such a death; `nil` for where the user's programs keep such things.
  var crashReports: String?
  /// Whether the system may write the memory of a server that dies to a file, which has secrets in it.
  var coreDumps = false
  /// The fields in which a trusted proxy names the user; `nil` for none.
  var userHeader: String?
  /// The place where sessions are kept over a restart; `nil` for nowhere.
  var store: StoreAddress?
  /// The URL at which the other servers that share the store reach this one; `nil` if there are none.
  var nodeURL: String?
  /// The files of the certificates and of the private key, in PEM; both or neither.
  var certificates: String?
  var privateKey: String?
  var logFormat = LineLogHandler.Format.text
  var logLevel = Logger.Level.info

  init() { server.publicDirectory = "Public" }
}
