// SPDX-License-Identifier: MIT
public import ArgumentParser
import Demos
import Euripus
import Glibc
public import LineLogging
public import Logging

/// `euripus serve`: hosts the demos until a signal ends it.
struct Serve: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Serves the demos until SIGINT or SIGTERM.",
    discussion: """
      Prints the URL to open once it can be opened. Exit status: 0 after a signal, 1 if it cannot listen.
      """)

  @Option(help: ArgumentHelp("The address to listen on; 0.0.0.0 for all of this machine's.", valueName: "address"))
  var host = "127.0.0.1"

  @Option(help: "The port to listen on; 0 for any that is free.")
  var port: UInt16 = 8080

  @Option(
    name: .customLong("host-name"),
    help: ArgumentHelp(
      "A name by which clients reach the server, besides localhost, 127.0.0.1 and [::1]. May be given several times.",
      valueName: "name"))
  var hostNames: [String] = []

  @Option(
    name: .customLong("public"), help: ArgumentHelp("The directory of the static files.", valueName: "directory"))
  var publicDirectory = "Public"

  @Option(
    help: ArgumentHelp(
      "The directory of the recordings demo's store, made when something is first recorded; by default "
        + "euripus/recordings in $XDG_STATE_HOME or ~/.local/state.", valueName: "directory"))
  var recordings: String?

  @Option(help: "Threads that serve; by default one a core, two at most.")
  var loops: Int?

  @Option(help: ArgumentHelp("How long a session lives without a request.", valueName: "seconds"))
  var idle = 30 * 60

  @Option(
    name: .customLong("command-limit"),
    help: ArgumentHelp("How long a command may take before it ends as timed out.", valueName: "seconds"))
  var commandLimit = 30

  @Option(
    name: .customLong("drain-time"),
    help: ArgumentHelp(
      "How long to go on serving after a signal, while /readyz says that the server drains.", valueName: "seconds"))
  var drainTime = 0

  @Option(
    name: .customLong("stop-grace"),
    help: ArgumentHelp("How long requests at work may take when the server stops.", valueName: "seconds"))
  var stopGrace = 4

  @OptionGroup var gate: GateOptions

  @Option(name: .customLong("log-format"), help: "What a line of the log looks like.")
  var logFormat = LineLogHandler.Format.text

  @Option(name: .customLong("log-level"), help: "What the log has at least.")
  var logLevel = Logger.Level.info

  mutating func validate() throws {
    if let loops, loops < 1 { throw ValidationError("--loops must be at least 1, got \(loops)") }
    let year = 365 * 24 * 60 * 60
    guard (1...year).contains(idle) else {
      throw ValidationError("--idle must be 1 to \(year) seconds, which is a year; got \(idle)")
    }
    guard (1...3_600).contains(commandLimit) else {
      throw ValidationError("--command-limit must be 1 to 3600 seconds; got \(commandLimit)")
    }
    guard access("\(publicDirectory)/.", R_OK | X_OK) == 0 else {
      let reason = String(cString: strerror(errno))
      throw ValidationError(
        "--public: cannot read the directory '\(publicDirectory)': \(reason); expected that of the static files")
    }
  }

  /// Where a user's programs keep what should outlive them (XDG Base Directory Specification 0.8, which has relative paths
  /// ignored).
  private static var recordingsOfUser: String {
    let variable = { (name: String) in getenv(name).map { String(cString: $0) } }
    let state = variable("XDG_STATE_HOME").flatMap { $0.hasPrefix("/") ? $0 : nil }
    return (state ?? (variable("HOME") ?? "") + "/.local/state") + "/euripus/recordings"
  }

  func run() throws {
    var configuration = ServerConfiguration()
    configuration.host = host
    configuration.port = port
    configuration.hostNames = hostNames
    configuration.publicDirectory = publicDirectory
    configuration.loops = loops
    configuration.idleTime = .seconds(idle)
    configuration.commandLimit = .seconds(commandLimit)
    configuration.drainTime = .seconds(drainTime)
    configuration.stopGrace = .seconds(stopGrace)
    gate.apply(to: &configuration)
    let logger = Logger(label: "euripus") { _ in LineLogHandler(logFormat, level: logLevel) }
    configuration.logger = logger
    let store = RecordingStore(directory: recordings ?? Self.recordingsOfUser) { logger.error("\($0)") }
    let server = EuripusServer(Demos.all(recordings: store), configuration: configuration)
    let count = server.modelNames.count
    do {
      try server.run { url in
        StandardOutput.write("Euripus is serving \(count) view model\(count == 1 ? "" : "s") on \(url)")
      }
    } catch {
      var isTaken = false
      if case HTTPListeningError.addressInUse = error { isTaken = true }
      StandardError.write("euripus: \(error)\(isTaken ? " (--port says which)" : "")")
      throw ExitCode.failure
    }
  }
}

extension LineLogHandler.Format: ExpressibleByArgument {}
extension Logger.Level: @retroactive ExpressibleByArgument {}
