// SPDX-License-Identifier: MIT
import CSupervision
import Glibc

/// A server that a supervisor has started, and the supervisor's ends of the pipes between them.
final class ServerProcess {
  /// The words that a server sends to its supervisor, one byte each.
  enum Word: UInt8 {
    /// It waits for the end of the server before it.
    case prepared = 0x50
    /// The Swift runtime catches its traps, for a backtrace. It sends this before `ready`.
    case catchesTraps = 0x43
    /// It serves clients.
    case ready = 0x52
    /// An operator wants nothing to be refused any more.
    case pardons = 0x41
    /// It was told to end, and has done so.
    case stopped = 0x45
  }

  let pid: pid_t
  /// The program that it runs.
  let program: ProgramFile
  /// Its number among the supervisor's servers, from 1.
  let life: Int32
  let began: ContinuousClock.Instant
  /// The pipe by which it says how far it is; -1 when that has ended.
  private(set) var status: Int32
  /// Its standard error; -1 when that has ended.
  private(set) var errors: Int32
  private(set) var isReady = false
  /// Whether it waits for the end of the server before it.
  private(set) var isPrepared = false
  /// Whether it has ended as it was told to.
  private(set) var hasStopped = false
  /// The pipe by which it learns of that end; -1 for a server that need not wait, or has learned of it.
  private var turn: Int32
  /// Whether the Swift runtime catches its traps, for a backtrace.
  private var catchesTraps = false
  /// The time at which its backtrace began, by its standard error; `nil` if none has begun.
  private(set) var crashing: ContinuousClock.Instant?

  /// Starts a program, with the arguments of this one.
  ///
  /// - Parameters:
  ///   - waits: whether it waits for the end of the server before it.
  ///   - handOver: gives the things to hand over, for the server's ends of two pipes. By the first the server
  ///     says how far it is, and by the second it learns that its turn has come.
  static func start(
    _ program: ProgramFile, waits: Bool, _ handOver: (_ status: Int32, _ turn: Int32?) -> HandOver
  ) throws(SupervisionError) -> ServerProcess {
    var pipes: [Pipe] = []
    do throws(SupervisionError) {
      for _ in 0..<(waits ? 3 : 2) { pipes.append(try Pipe()) }
    } catch {
      for pipe in pipes { pipe.close() }
      throw error
    }
    let (status, errors, turn) = (pipes[0], pipes[1], waits ? pipes[2] : nil)
    // The server waits by reading, so this end has to block.
    if let turn { _ = fcntl(turn.reading, F_SETFL, 0) }
    let handed = handOver(status.writing, turn?.reading)
    setenv(HandOver.variable, handed.text, 1)
    var pid: pid_t = 0
    let inherited = [handed.listening, handed.memory, handed.status] + (turn.map { [$0.reading] } ?? [])
    let failure = esv_spawn(&pid, program.path, CommandLine.unsafeArgv, inherited, inherited.count, errors.writing)
    guard failure == 0 else {
      for pipe in pipes { pipe.close() }
      throw .system("starting the server", failure)
    }
    for descriptor in [status.writing, errors.writing] + (turn.map { [$0.reading] } ?? []) { close(descriptor) }
    return ServerProcess(
      pid: pid, of: program, life: handed.life, status: status.reading, errors: errors.reading,
      turn: turn?.writing ?? -1)
  }

  private init(pid: pid_t, of program: ProgramFile, life: Int32, status: Int32, errors: Int32, turn: Int32) {
    (self.pid, self.program, self.life, began) = (pid, program, life, .now)
    (self.status, self.errors, self.turn) = (status, errors, turn)
  }

  /// Reads how far it is.
  ///
  /// - Returns: whether an operator wants nothing to be refused any more.
  func hear() -> Bool {
    guard status >= 0 else { return false }
    var bytes = [UInt8](repeating: 0, count: 64)
    var count: Int
    repeat { count = read(status, &bytes, bytes.count) } while count < 0 && errno == EINTR
    if count == 0 { closeStatus() }
    let words = bytes[..<max(0, count)].compactMap { Word(rawValue: $0) }
    isPrepared = isPrepared || words.contains(.prepared)
    catchesTraps = catchesTraps || words.contains(.catchesTraps)
    isReady = isReady || words.contains(.ready)
    hasStopped = hasStopped || words.contains(.stopped)
    return words.contains(.pardons)
  }

  /// Tells it that the server before it has ended.
  func giveTurn() {
    var byte: UInt8 = 0
    // If the server has ended meanwhile, the supervisor learns of its end anyway.
    if turn >= 0 { _ = write(turn, &byte, 1) }
    closeTurn()
  }

  private func closeTurn() {
    if turn >= 0 { close(turn) }
    turn = -1
  }

  /// Notes that its standard error announces a backtrace. A program may write anything there, so it counts only
  /// if the runtime makes backtraces.
  func saysThatItCrashes() { if catchesTraps { crashing = crashing ?? .now } }

  /// Ends it, together with a backtracer that hangs, unless it lives: the runtime removes its handler when it
  /// begins a backtrace.
  func endIfItCrashes() {
    if Self.catchesTraps(pid) { crashing = nil } else { kill(-pid, SIGKILL) }
  }

  /// Whether a process has a handler for traps now (proc(5), SigCgt).
  static func catchesTraps(_ pid: pid_t) -> Bool {
    let descriptor = open("/proc/\(pid)/status", O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: 8_192)
    let count = read(descriptor, &bytes, bytes.count)
    let lines = String(decoding: bytes[..<max(0, count)], as: UTF8.self).split(separator: "\n")
    let caught = lines.first { $0.hasPrefix("SigCgt:") }.flatMap { UInt64($0.dropFirst(8), radix: 16) } ?? 0
    return caught & 1 << (SIGILL - 1) != 0
  }

  /// Closes the pipes to it when it has ended.
  func closePipes() {
    closeErrors()
    closeStatus()
    closeTurn()
  }

  func closeStatus() {
    if status >= 0 { close(status) }
    status = -1
  }

  func closeErrors() {
    if errors >= 0 { close(errors) }
    errors = -1
  }

  func signal(_ number: Int32) { kill(pid, number) }

  private struct Pipe {
    /// Its reader gets the bytes that are there, and does not wait.
    let reading: Int32
    let writing: Int32

    init() throws(SupervisionError) {
      var (reading, writing): (Int32, Int32) = (-1, -1)
      guard esv_pipe(&reading, &writing) == 0 else { throw .system("making a pipe", errno) }
      (self.reading, self.writing) = (reading, writing)
    }

    func close() {
      Glibc.close(reading)
      Glibc.close(writing)
    }
  }
}
