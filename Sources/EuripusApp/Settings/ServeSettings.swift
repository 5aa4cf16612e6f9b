// SPDX-License-Identifier: MIT
import Euripus
import Logging

/// The settings of `serve`: the server's configuration, and those that the command line adds.
struct ServeSettings: Sendable {
  var server = ServerConfiguration()
  /// The number of threads that serve; `nil` for the listener's default.
  var loops: Int?
  /// Whether a process of its own restarts the server when it dies.
  var supervise = false
  /// The directory of the reports on such a death; `nil` for the usual place for such data of the user's
  /// programs.
  var crashReports: String?
  /// Whether the system may write the memory of a server that dies to a file; that has secrets in it.
  var coreDumps = false
  /// The fields in which a trusted proxy names the user; `nil` for none.
  var userHeader: String?
  /// The place where sessions are kept over a restart; `nil` for none.
  var store: StoreAddress?
  /// The kind of database in which the app can keep sessions; `nil` for none.
  var sharedStore: SharedStore?
  /// The URL at which the other servers of a shared store reach this one; `nil` if there are none.
  var nodeURL: String?
  /// The files of the certificates and of the private key, in PEM. Both are set, or neither.
  var certificates: String?
  var privateKey: String?
  var logFormat = LineLogHandler.Format.text
  var logLevel = Logger.Level.info

  init() { server.publicDirectory = "Public" }
}
