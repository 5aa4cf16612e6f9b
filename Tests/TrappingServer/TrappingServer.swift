// SPDX-License-Identifier: MIT
import Dispatch
import EuripusApp
import Glibc
import HTTPListening
import ViewModels

/// A program that dies when a test tells it to, supervised, on a free port.
///
/// Its call is `TrappingServer REPORTS WAIT DRAIN BACKTRACE STOP [STORE]`.
/// - REPORTS is the directory of the reports.
/// - WAIT is the first wait before a restart, in milliseconds.
/// - DRAIN is the time for which it serves on after a signal, in seconds.
/// - BACKTRACE is the longest time that a backtrace may take, in seconds.
/// - STOP is the longest time that a server may take to end for its successor, in seconds.
/// - STORE is the place where sessions are kept. With it SIGHUP has the program replaced by itself.
///
/// It prints the first server's process and port, and then a line for each event that the log would have. Files in
/// REPORTS doom servers: with `doomed` and `doomed-at-work` each traps at its start, with the latter after it has
/// noted a work; a server that finds `doomed-at-turn` when its turn comes removes it, and traps. With a file
/// `authenticates` the servers ask for users, and trap at each token.
@main struct TrappingServer {
  static func main() throws {
    let arguments = CommandLine.arguments
    guard (6...7).contains(arguments.count), let wait = Int(arguments[2]), let drain = Int(arguments[3]),
      let backtrace = Int(arguments[4]), let stop = Int(arguments[5])
    else {
      print("TrappingServer REPORTS WAIT DRAIN BACKTRACE STOP [STORE]")
      exit(64)
    }
    if let supervised = try Supervised.begin() {
      func has(_ file: String) -> Bool { access("\(arguments[1])/\(file)", F_OK) == 0 }
      if has("doomed") { trapAtStart() }
      if has("doomed-at-work") {
        // On another thread: the name of the first thread is the program's, and not its slot's.
        DispatchQueue.global().async { supervised.notes.during(.opening("warm-up")) { trapAtStart() } }
        while true { pause() }
      }
      supervised.awaitTurn()
      if unlink(arguments[1] + "/doomed-at-turn") == 0 { trapAtStart() }
      return try serve(supervised, drain, arguments.dropFirst(6).first, authenticates: has("authenticates"))
    }
    let socket = try ListeningSocket(HTTPListenerConfiguration(host: "127.0.0.1", port: 0))
    var configuration = Supervisor.Configuration(
      listening: socket.descriptor, reports: arguments[1], program: arguments[0])
    configuration.replaces = arguments.count == 7
    configuration.policy = RestartPolicy(firstWait: .milliseconds(wait))
    configuration.longestBacktrace = .seconds(backtrace)
    configuration.longestStop = .seconds(stop)
    let supervisor = try Supervisor(configuration) { event in
      switch event {
      case .refused(let work, let time): StandardOutput.write("refused \(work) \(time.components.seconds)")
      case .failed(let error): StandardOutput.write("failed \(error)")
      case .replaced(let process): StandardOutput.write("replaced \(process)")
      case .notReplaced(let ending): StandardOutput.write("not replaced \(ending.status)")
      case .overdue(let process, let time): StandardOutput.write("overdue \(process) \(time.components.seconds)")
      case .ended(let ending, let process, _, let work, let report, let wait):
        let restart = wait.map { "\(Int($0 / .milliseconds(1)))" } ?? "never"
        StandardOutput.write("\(ending.status) \(process) \(restart) \(report ?? "-") \(work ?? "-")")
      }
    }
    exit(try supervisor.run())
  }

  // The tests need the trap itself.
  @inline(never) private static func trapAtStart() { fatalError("trapped at its start") }

  private static let routes: [AppRoute] = [
    .get("/deadly/{name}") { _ in trapInARoute() },
    .get("/deadly-later/{name}") { _ in
      await Task.yield()
      return trapInARoute()
    },
    .get("/harmless") { _ in RouteResponse(status: 204) },
  ]

  @inline(never) private static func trapInARoute() -> RouteResponse { fatalError("trapped in a route") }

  @inline(never) private static func trapInAuthenticate() -> User? { fatalError("trapped in authenticate") }

  private static func serve(_ supervised: Supervised, _ drain: Int, _ store: String?, authenticates: Bool) throws {
    var configuration = ServerConfiguration()
    configuration.drainTime = .seconds(drain)
    configuration.sessions.storage = store.map { .sqlite($0) }
    configuration.sessions.openingRate = nil
    configuration.sessions.actionRate = nil
    configuration.sessions.actionTime = nil
    configuration.listener.inheritedDescriptor = supervised.listeningDescriptor
    configuration.supervisor = supervised.supervisor
    configuration.routes = routes.map { $0.watched(supervised.notes) }
    configuration.routes.append(
      .get("/pardon") { _ in
        supervised.pardon()
        return RouteResponse(status: 204)
      })
    if authenticates {
      configuration.authenticate = { head in
        await Task.yield()
        return head.bearerToken == nil ? nil : trapInAuthenticate()
      }
      configuration.watchAuthenticate(supervised.notes)
    }
    let models: [HostedModelType] = [
      .hosting { TrapViewModel() }, .hosting { StillbornViewModel() }, .hosting { KnownViewModel($0) },
    ]
    let server = EuripusServer(models.map { $0.watched(supervised.notes) }, configuration: configuration)
    server.run { _ in
      supervised.isReady()
      if supervised.isFirst { StandardOutput.write("\(getpid()) \(server.port)") }
    }
    supervised.hasStopped()
  }
}
