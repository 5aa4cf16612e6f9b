// SPDX-License-Identifier: MIT
import Euripus
import Glibc
import HTTPListening
import SQLiteSessions
import Supervision

/// What a test has die: `TrappingServer REPORTS WAIT DRAIN [STORE]`, supervised, on a free port; WAIT is the first wait before a
/// restart, in milliseconds, DRAIN how long it serves on after a signal, in seconds, and STORE where sessions are kept. It prints the port, and then a line for each thing that the supervisor has for the log.
@main struct TrappingServer {
  static func main() throws {
    let arguments = CommandLine.arguments
    guard (4...5).contains(arguments.count), let wait = Int(arguments[2]), let drain = Int(arguments[3]) else {
      print("TrappingServer REPORTS WAIT DRAIN [STORE]")
      exit(64)
    }
    if let supervised = try Supervised.begin() { return try serve(supervised, drain, arguments.dropFirst(4).first) }
    let socket = try ListeningSocket(HTTPListenerConfiguration(host: "127.0.0.1", port: 0))
    var configuration = Supervisor.Configuration(
      listening: socket.descriptor, reports: arguments[1], program: "TrappingServer")
    configuration.policy = RestartPolicy(firstWait: .milliseconds(wait))
    let supervisor = try Supervisor(configuration, arguments: CommandLine.unsafeArgv) { event in
      switch event {
      case .failed(let error): StandardOutput.write("failed \(error)")
      case .ended(let ending, let process, _, let work, let report, let wait):
        let restart = wait.map { "\(Int($0 / .milliseconds(1)))" } ?? "never"
        StandardOutput.write("\(ending.status) \(process) \(restart) \(report ?? "-") \(work ?? "-")")
      }
    }
    exit(try supervisor.run())
  }

  private static func serve(_ supervised: Supervised, _ drain: Int, _ store: String?) throws {
    var configuration = ServerConfiguration()
    configuration.drainTime = .seconds(drain)
    configuration.storage = store.map { .sqlite($0) }
    configuration.openingsPerMinute = 0
    configuration.actionsPerSecond = 0
    configuration.listeningDescriptor = supervised.listeningDescriptor
    configuration.supervisor = supervised.supervisor
    configuration.workNotes = supervised.notes
    let server = EuripusServer(
      [.hosting { TrapViewModel() }, .hosting { StillbornViewModel() }], configuration: configuration)
    try server.run { _ in
      supervised.isReady()
      if supervised.isFirst { StandardOutput.write("\(getpid()) \(server.port)") }
    }
  }
}
