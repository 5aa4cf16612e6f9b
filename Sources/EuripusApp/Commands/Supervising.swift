// SPDX-License-Identifier: MIT
import ArgumentParser
import CSupervision
import Euripus
import Glibc
import HTTPListening
import Logging

/// `serve --supervise`: the process that starts the server.
struct Supervising {
  private let supervisor: Supervisor

  /// Begins to listen, so that a conflict with another server at the same address shows here.
  init(_ settings: ServeSettings, _ logger: Logger) throws {
    let address = HTTPListenerConfiguration(host: settings.server.listener.host, port: settings.server.listener.port)
    let socket = try ListeningSocket(address)
    var configuration = Supervisor.Configuration(
      listening: socket.descriptor,
      reports: settings.crashReports ?? ProcessEnvironment.stateDirectory("crashes"), program: Self.program)
    // At a terminal the signal says that the terminal was closed.
    configuration.replaces = settings.store != nil && isatty(STDIN_FILENO) == 0
    configuration.reloads = settings.certificates != nil || settings.server.listener.tls != nil
    configuration.pardonsSuccessors = DevelopmentServer.isAuthors
    configuration.longestStop = Self.longestStop(
      drainTime: settings.server.drainTime, stopGrace: settings.server.stopGrace)
    supervisor = try Supervisor(configuration) { Self.tell($0, logger) }
    if configuration.replaces, esv_is_ignored(SIGHUP) {
      logger.warning("SIGHUP is ignored, as nohup has it, so it will not replace the program")
    }
  }

  /// - Returns: the status with which to exit.
  func run() throws -> ExitCode { ExitCode(try supervisor.run()) }

  /// The longest time of a stop. The server lets requests of clients end, then those of operators, and then
  /// stores its sessions.
  static func longestStop(drainTime: Duration, stopGrace: Duration) -> Duration {
    drainTime + stopGrace * 2 + .seconds(10)
  }

  private static var program: String {
    var path = [CChar](repeating: 0, count: 4_096)
    let count = readlink("/proc/self/exe", &path, path.count)
    return count > 0
      ? String(decoding: path[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self) : ProgramName.current
  }

  /// A verb and a path without the session's id. The log must not have the id; the report has it.
  private static func withoutSession(_ work: String) -> String {
    var parts = work.split(separator: "/", omittingEmptySubsequences: false)
    if parts.count > 3, parts[1] == "sessions" { parts[3] = "{id}" }
    return parts.joined(separator: "/")
  }

  private static func metadata(of ending: RestartPolicy.Ending) -> Logger.Metadata {
    switch ending {
    case .exited(let status): ["status": .stringConvertible(Int(status))]
    case .killed(let signal): ["signal": .stringConvertible(Int(signal))]
    }
  }

  private static func tell(_ event: SupervisionEvent, _ logger: Logger) {
    switch event {
    case .failed(let error): logger.error("\(error)")
    case .replaced(let process):
      logger.notice(
        "the program at its path has taken the server's place", metadata: ["process": .stringConvertible(Int(process))])
    case .notReplaced(let ending):
      logger.error(
        "the program at its path cannot take the server's place; the one before it goes on",
        metadata: metadata(of: ending))
    case .overdue(let process, let time):
      logger.error(
        "the server has not ended in time for its successor, and is killed",
        metadata: [
          "process": .stringConvertible(Int(process)), "seconds": .stringConvertible(time.components.seconds),
        ])
    case .refused(let work, let time):
      logger.error(
        "a work over which the server died several times is refused to all",
        metadata: [
          "work": "\(withoutSession(work))", "seconds": .stringConvertible(time.components.seconds),
          "remedy": "once it is mended, or if it is not to blame: euripus sessions pardon",
        ])
    case .ended(let ending, let process, let lived, let work, let report, let wait):
      var metadata: Logger.Metadata = [
        "process": .stringConvertible(Int(process)), "seconds": .stringConvertible((lived / .seconds(1)).rounded()),
      ]
      metadata.merge(self.metadata(of: ending)) { $1 }
      if let work { metadata["work"] = "\(withoutSession(work))" }
      if let report { metadata["report"] = "\(report)" }
      if let wait { metadata["milliseconds"] = .stringConvertible((wait / .milliseconds(1)).rounded()) }
      logger.error(
        wait == nil ? "the server died" : "the server died and is started again", metadata: metadata)
    }
  }
}
