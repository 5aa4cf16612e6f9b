// SPDX-License-Identifier: MIT
import CSupervision
import Glibc

/// A small process that keeps a server running. It has the socket that listens, starts its own program anew as
/// the server, and starts it again when it dies (Decisions/0032). A signal can make it start the program that
/// is at its path by then, which replaces the server (Decisions/0056).
///
/// Clients that connect while there is no server wait at the socket for the next one. The supervisor passes
/// signals that end a program to the server, and ends when the server does. If the supervisor dies, for
/// whatever reason, the server dies with it.
package final class Supervisor {
  package struct Configuration {
    /// The socket that listens.
    package var listening: Int32
    /// The directory of the reports.
    package var reports: String
    /// The path of the program.
    package var program: String
    /// Whether SIGHUP replaces the server by the program that is at the path.
    package var replaces = false
    /// Whether SIGHUP makes the server read its certificate again, where it does not replace it. If neither,
    /// SIGHUP ends the server.
    package var reloads = false
    package var policy = RestartPolicy()
    /// Whether a program that replaces the server does again all works that were refused: its author has mended them.
    package var pardonsSuccessors = false
    /// The time after which an unfinished backtrace is given up.
    package var longestBacktrace: Duration = .seconds(5)
    /// The time after which a server that was told to end for its successor is killed.
    package var longestStop: Duration = .seconds(60)

    package init(listening: Int32, reports: String, program: String) {
      (self.listening, self.reports, self.program) = (listening, reports, program)
    }
  }

  let configuration: Configuration
  private let log: (SupervisionEvent) -> Void
  private let memory: NoteMemory
  let backtraces: BacktraceFile
  private let signals: Int32
  let reports: CrashReports
  var policy: RestartPolicy
  var suspects = Suspects()
  var relay = ErrorRelay()
  var state: Succession<ServerProcess> = .vacant(until: .now, successor: nil)
  /// The program of the servers that are started: that of the last one that served.
  var program = ProgramFile.own
  private var lives: Int32 = 0
  /// Whether SIGHUP has to be passed to a server that cannot handle it yet.
  private var hasReloadToPass = false

  /// - Parameter log: takes the events for the log; it may write to the standard error.
  package init(_ configuration: Configuration, log: @escaping (SupervisionEvent) -> Void) throws(SupervisionError) {
    self.configuration = configuration
    self.log = log
    memory = try NoteMemory()
    reports = CrashReports(directory: configuration.reports)
    backtraces = BacktraceFile(in: configuration.reports)
    policy = configuration.policy
    // A signal that is ignored, as nohup does, is taken neither here nor by the server.
    if configuration.reloads { _ = signal(SIGHUP, SIG_DFL) }
    let numbers = [SIGCHLD] + Self.ending
    signals = esv_signal_descriptor(numbers, numbers.count)
    guard signals >= 0 else { throw .system("taking signals", errno) }
    // The reader of the output may go away; and the server, which is in the background, writes to the terminal.
    signal(SIGPIPE, SIG_IGN)
    // A report that is longer than RLIMIT_FSIZE allows must not end the supervisor.
    signal(SIGXFSZ, SIG_IGN)
    signal(SIGTTOU, SIG_IGN)
  }

  deinit { close(signals) }

  private static let ending = [SIGTERM, SIGINT, SIGHUP, SIGQUIT]

  /// Keeps a server running until it is told to end, or cannot serve.
  ///
  /// Call it on the program's first thread: a server dies when the thread that started it ends.
  ///
  /// - Returns: the status with which to exit: that of the last server.
  /// - Throws: ``SupervisionError`` if not even the first server can be started.
  package func run() throws(SupervisionError) -> Int32 {
    try start()
    while true {
      if case .ended(let status) = state {
        relay.finishLine()
        return status
      }
      wait()
      takeSignals()
      endOneThatHangs()
      perform(state.reach(.now))
    }
  }

  private func start() throws(SupervisionError) {
    relay.forget()
    state.started(try start(program, waits: false))
  }

  private func startAgain() {
    do throws(SupervisionError) { try start() } catch {
      say(.failed(error))
      let decision = policy.decide(.exited(status: EXIT_FAILURE), wasReady: false, lived: .zero, isStopping: false)
      state.startFailed(at: .now, decision)
    }
  }

  func start(_ program: ProgramFile, waits: Bool) throws(SupervisionError) -> ServerProcess {
    lives += 1
    // A backtrace needs the directory. If it cannot be made, the reason is logged when there is something to report.
    try? reports.makeDirectory()
    backtraces.ask()
    return try ServerProcess.start(program, waits: waits) { status, turn in
      HandOver(
        listening: configuration.listening, memory: memory.descriptor, status: status, supervisor: getpid(),
        life: lives, turn: turn, poisoned: suspects.poisoned)
    }
  }

  func say(_ event: SupervisionEvent) {
    relay.finishLine()
    log(event)
  }

  func perform(_ actions: [Succession<ServerProcess>.Action]) {
    for action in actions {
      switch action {
      case .start: startAgain()
      case .startSuccessor: startSuccessor()
      case .signal(let server, let number): server.signal(number)
      case .endOverdue(let server): endOverdue(server)
      case .dismiss(let server): dismiss(server)
      case .giveTurn(let server): giveTurn(to: server)
      case .keepProgram(let server): keepProgram(of: server)
      case .notReplaced(let server, let ending): tellThatNotReplaced(server, ending)
      }
    }
  }

  // MARK: Waiting

  /// Waits for an event, and passes on the text that the servers write.
  private func wait() {
    let processes = [state.server, state.successor].compactMap { $0 }
    var polled = [pollfd(fd: signals, events: Int16(POLLIN), revents: 0)]
    // `poll` ignores a negative descriptor.
    polled.append(pollfd(fd: relay.hasPending ? STDERR_FILENO : -1, events: Int16(POLLOUT), revents: 0))
    for process in processes {
      polled.append(pollfd(fd: process.status, events: Int16(POLLIN), revents: 0))
      polled.append(pollfd(fd: relay.canTake ? process.errors : -1, events: Int16(POLLIN), revents: 0))
    }
    guard poll(&polled, nfds_t(polled.count), timeout) > 0 else { return }
    for (index, process) in processes.enumerated() {
      if polled[2 + 2 * index].revents != 0 { hear(process) }
      if polled[3 + 2 * index].revents != 0, !relay.take(from: process.errors) { process.closeErrors() }
      if relay.saysThatItCrashes() { process.saysThatItCrashes() }
    }
    if polled[1].revents != 0 { relay.pass() }
  }

  private func hear(_ process: ServerProcess) {
    if process.hear() { suspects = Suspects() }
    if process === state.successor, process.isPrepared {
      perform(state.successorPrepared(deadline: .now + configuration.longestStop))
    }
    guard process === state.server, process.isReady else { return }
    perform(state.serves())
    passReload()
  }

  /// Passes SIGHUP to the server as soon as it handles that: before, it would die of it.
  private func passReload() {
    guard hasReloadToPass, let server = state.server, server.isReady else { return }
    hasReloadToPass = false
    server.signal(SIGHUP)
  }

  /// The time to wait in milliseconds, rounded up; -1 for no limit.
  private var timeout: Int32 {
    let crashing = state.server?.crashing.map { $0 + configuration.longestBacktrace }
    guard let due = [state.due, crashing].compactMap({ $0 }).min() else { return -1 }
    let milliseconds = max(0, (due - ContinuousClock.now) / .milliseconds(1))
    return Int32(min(milliseconds.rounded(.up), 60_000))
  }

  /// Ends a server whose backtrace does not end.
  private func endOneThatHangs() {
    guard let server = state.server, let crashing = server.crashing else { return }
    if crashing + configuration.longestBacktrace <= .now { server.endIfItCrashes() }
  }

  // MARK: Signals

  private func takeSignals() {
    while case let number = esv_next_signal(signals), number != 0 {
      if number == SIGCHLD {
        takeEndings()
      } else if number == SIGHUP, configuration.replaces {
        perform(state.askForSuccessor())
      } else if number == SIGHUP, configuration.reloads {
        hasReloadToPass = true
        passReload()
      } else {
        perform(state.stop(by: number))
      }
    }
  }

  /// Takes the ends of all child processes. As the first process in a container it also has children of others.
  private func takeEndings() {
    var word: Int32 = 0
    while case let pid = waitpid(-1, &word, WNOHANG), pid > 0 {
      let signal = word & 0x7F
      let ending: RestartPolicy.Ending = signal == 0 ? .exited(status: (word >> 8) & 0xFF) : .killed(signal: signal)
      if let server = state.server, pid == server.pid {
        serverEnded(server, ending)
      } else if let successor = state.successor, pid == successor.pid {
        successorEnded(successor, ending)
      }
    }
  }

  /// Reads the last text of an ended server. Other processes that it has started may hold the pipe open.
  func takeLastLines(of ended: ServerProcess) {
    while ended.errors >= 0, Self.hasMore(ended.errors), relay.take(from: ended.errors) {}
    ended.closePipes()
  }

  private func serverEnded(_ ended: ServerProcess, _ ending: RestartPolicy.Ending) {
    if ended.hear() { suspects = Suspects() }
    takeLastLines(of: ended)
    if ended.isReady { perform(state.serves()) }
    let lived = ended.began.duration(to: .now)
    let remains = Remains(works: memory.take(), signal: ending.signal, backtrace: backtraces.take())
    // If the server should have refused the work and died of it all the same, knowing the work does not help.
    let isCauseKnown = remains.culprit.map { !suspects.refuse($0) } ?? false
    let wasTold = state.isEnding || ended.hasStopped
    let refused = suspects.add(remains, wasTold: wasTold)
    let report = report(on: ended, ending, lived, remains)
    // A client sent the work, and it may have been faster than the word that the server serves.
    let hasServed = ended.isReady || remains.culprit != nil || !remains.others.isEmpty
    // Where another program is involved, the next server begins at once.
    var wait: Duration? = .zero
    let actions = state.serverEnded(ending, at: .now) {
      let decision = policy.decide(
        ending, wasReady: hasServed, lived: lived, isStopping: wasTold, isCauseKnown: isCauseKnown)
      wait = decision.wait
      return decision
    }
    perform(actions)
    // Clients wait for the next server, and nobody waits for the report.
    perform(state.reach(.now))
    if wasTold, ending == .exited(status: 0) { return }
    tell(ended, ending, lived, remains, report, restartsIn: wait)
    for work in refused { say(.refused(work: work.text, everywhereFor: WorkNotes.longRest)) }
  }

  private static func hasMore(_ descriptor: Int32) -> Bool {
    var polled = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&polled, 1, 0) > 0 && polled.revents & Int16(POLLIN) != 0
  }
}
