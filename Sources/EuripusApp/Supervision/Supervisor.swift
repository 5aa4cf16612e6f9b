// SPDX-License-Identifier: MIT
import CSupervision
import Glibc

/// A small process that keeps a server running: it has the socket that listens, starts this same program anew as the server,
/// and starts it again when it dies (Decisions/0032). When it is told to, it starts the program that is at its path by then, and has
/// that take the place of the server (Decisions/0056).
///
/// Clients that connect while there is no server wait at the socket for the next one. Signals that end a program are the
/// server's; its end by them is the supervisor's. The server dies with it, however that dies.
package final class Supervisor {
  package struct Configuration {
    /// The socket that listens.
    package var listening: Int32
    /// The directory of the reports.
    package var reports: String
    /// The path of the program.
    package var program: String
    /// Whether SIGHUP has the program that is at the path take the place of the server.
    package var replaces = false
    /// Whether SIGHUP, where it does not have the server replaced, has it read its certificate again, and does not end it.
    package var reloads = false
    package var policy = RestartPolicy()
    /// The time after which a backtrace that has no end is given up.
    package var longestBacktrace: Duration = .seconds(5)
    /// The time after which a server is killed that was told to end for its successor.
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
  private var suspects = Suspects()
  var relay = ErrorRelay()
  var state: Succession<ServerProcess> = .vacant(until: .now, successor: nil)
  /// The program that servers are started of: that of the last one which served.
  var program = ProgramFile.own
  private var lives: Int32 = 0
  /// Whether a server is to be told by SIGHUP, and cannot take it yet.
  private var hasReloadToPass = false

  /// - Parameter log: takes what the log should have; may write to the standard error.
  package init(_ configuration: Configuration, log: @escaping (SupervisionEvent) -> Void) throws(SupervisionError) {
    self.configuration = configuration
    self.log = log
    memory = try NoteMemory()
    reports = CrashReports(directory: configuration.reports)
    backtraces = BacktraceFile(in: configuration.reports)
    policy = configuration.policy
    // One that is ignored, as nohup has it, is neither taken here nor by the server.
    if configuration.reloads { _ = signal(SIGHUP, SIG_DFL) }
    let numbers = [SIGCHLD] + Self.ending
    signals = esv_signal_descriptor(numbers, numbers.count)
    guard signals >= 0 else { throw .system("taking signals", errno) }
    // The reader of the output may go away; and the server, which is in the background, writes to the terminal.
    signal(SIGPIPE, SIG_IGN)
    // A report that may not be as long as it is (RLIMIT_FSIZE) is not to end it.
    signal(SIGXFSZ, SIG_IGN)
    signal(SIGTTOU, SIG_IGN)
  }

  deinit { close(signals) }

  private static let ending = [SIGTERM, SIGINT, SIGHUP, SIGQUIT]

  /// Keeps a server running until that is told to end, or cannot serve.
  ///
  /// To be called on the program's first thread: when the thread ends that starts a server, that dies.
  ///
  /// - Returns: the status to exit with: the last server's.
  /// - Throws: ``SupervisionError``, if not even the first can be started.
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

  /// Waits for something to happen, and passes on what the servers write.
  private func wait() {
    let processes = [state.server, state.successor].compactMap { $0 }
    var polled = [pollfd(fd: signals, events: Int16(POLLIN), revents: 0)]
    // A negative descriptor is not looked at.
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
    process.hear()
    if process === state.successor, process.isPrepared {
      perform(state.successorPrepared(deadline: .now + configuration.longestStop))
    }
    guard process === state.server, process.isReady else { return }
    perform(state.serves())
    // A backtrace needs it; a server that cannot even start needs none. The reason for which it cannot be made is told when
    // there is something to report.
    try? reports.makeDirectory()
    passReload()
  }

  /// Tells the server, as soon as it takes the signal: before that it would die of it.
  private func passReload() {
    guard hasReloadToPass, let server = state.server, server.isReady else { return }
    hasReloadToPass = false
    server.signal(SIGHUP)
  }

  /// Milliseconds, rounded up; -1 for as long as it takes.
  private var timeout: Int32 {
    let crashing = state.server?.crashing.map { $0 + configuration.longestBacktrace }
    guard let due = [state.due, crashing].compactMap({ $0 }).min() else { return -1 }
    let milliseconds = max(0, (due - ContinuousClock.now) / .milliseconds(1))
    return Int32(min(milliseconds.rounded(.up), 60_000))
  }

  /// Ends a server whose backtrace has no end.
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

  /// Takes the ends of all processes whose parent this one is: as the first in a container it has others' as well.
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

  /// Takes what an ended server has written last; others that it may have started can hold the pipe open.
  func takeLastLines(of ended: ServerProcess) {
    while ended.errors >= 0, Self.hasMore(ended.errors), relay.take(from: ended.errors) {}
    ended.closePipes()
  }

  private func serverEnded(_ ended: ServerProcess, _ ending: RestartPolicy.Ending) {
    ended.hear()
    takeLastLines(of: ended)
    if ended.isReady { perform(state.serves()) }
    let lived = ended.began.duration(to: .now)
    let remains = Remains(works: memory.take(), signal: ending.signal, backtrace: backtraces.take())
    // One that it was to refuse has killed it all the same: that is no end of it.
    let isCauseKnown = remains.culprit.map { !suspects.refuse($0) } ?? false
    let isStopping = state.isStopping
    let isRefusedEverywhere = !isStopping && ending != .exited(status: 0) && suspects.add(remains)
    let report = report(on: ended, ending, lived, remains)
    // The work came from a client, who may be faster than the word that there can be any.
    let hasServed = ended.isReady || remains.culprit != nil || !remains.others.isEmpty
    let actions = state.serverEnded(ending, at: .now) {
      policy.decide(ending, wasReady: hasServed, lived: lived, isStopping: isStopping, isCauseKnown: isCauseKnown)
    }
    perform(actions)
    // Clients wait for the next one, and nobody for the report.
    perform(state.reach(.now))
    tell(ended, ending, lived, remains, report)
    if isRefusedEverywhere, let work = remains.culprit?.text {
      say(.refused(work: work, everywhereFor: WorkNotes.longRest))
    }
  }

  private static func hasMore(_ descriptor: Int32) -> Bool {
    var polled = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&polled, 1, 0) > 0 && polled.revents & Int16(POLLIN) != 0
  }
}
