// SPDX-License-Identifier: MIT
import CSupervision
import Glibc

/// A server that a supervisor has started, and the ends of the pipes that it writes to.
struct ServerProcess {
  let pid: pid_t
  /// Which of the supervisor's it is, counted from 1.
  let life: Int32
  let began: ContinuousClock.Instant
  /// The pipe by which it says that it is ready; -1 when it has ended.
  private(set) var status: Int32
  /// Its standard error; -1 when it has ended.
  private(set) var errors: Int32
  private(set) var isReady = false
  /// Whether the Swift runtime catches its traps, for a backtrace.
  private var catchesTraps = false
  /// The beginning of the backtrace, as its standard error tells.
  private(set) var crashing: ContinuousClock.Instant?

  /// Starts this same program anew, with the same arguments.
  ///
  /// - Parameter handOver: gives what is handed over, for the end of a pipe that the server says by that it is ready.
  static func start(_ handOver: (_ status: Int32) -> HandOver) throws(SupervisionError) -> ServerProcess {
    let status = try Pipe()
    let errors: Pipe
    do throws(SupervisionError) { errors = try Pipe() } catch {
      status.close()
      throw error
    }
    let handed = handOver(status.writing)
    setenv(HandOver.variable, handed.text, 1)
    var pid: pid_t = 0
    let inherited = [handed.listening, handed.memory, handed.status]
    let failure = esv_spawn_self(&pid, CommandLine.unsafeArgv, inherited, inherited.count, errors.writing)
    close(status.writing)
    close(errors.writing)
    guard failure == 0 else {
      close(status.reading)
      close(errors.reading)
      throw .system("starting the server", failure)
    }
    return ServerProcess(
      pid: pid, life: handed.life, began: .now, status: status.reading, errors: errors.reading)
  }

  private init(pid: pid_t, life: Int32, began: ContinuousClock.Instant, status: Int32, errors: Int32) {
    (self.pid, self.life, self.began) = (pid, life, began)
    (self.status, self.errors) = (status, errors)
  }

  /// Hears whether it is ready.
  mutating func hear() {
    guard status >= 0 else { return }
    var byte: UInt8 = 0
    var count: Int
    repeat { count = read(status, &byte, 1) } while count < 0 && errno == EINTR
    if count == 0 { closeStatus() }
    guard count > 0 else { return }
    isReady = true
    catchesTraps = catchesTrapsNow
  }

  /// The standard error says that a backtrace begins. It may say anything, so that counts only if the runtime makes any.
  mutating func saysThatItCrashes() { if catchesTraps { crashing = crashing ?? .now } }

  /// Ends it with the backtracer that hangs, unless it lives: the runtime's handler takes itself away when it begins.
  mutating func endIfItCrashes() {
    if catchesTrapsNow { crashing = nil } else { kill(-pid, SIGKILL) }
  }

  /// Whether a handler for traps is set now (proc(5), SigCgt).
  private var catchesTrapsNow: Bool {
    let descriptor = open("/proc/\(pid)/status", O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: 8_192)
    let count = read(descriptor, &bytes, bytes.count)
    let lines = String(decoding: bytes[..<max(0, count)], as: UTF8.self).split(separator: "\n")
    let caught = lines.first { $0.hasPrefix("SigCgt:") }.flatMap { UInt64($0.dropFirst(8), radix: 16) } ?? 0
    return caught & 1 << (SIGILL - 1) != 0
  }

  mutating func closeStatus() {
    if status >= 0 { close(status) }
    status = -1
  }

  mutating func closeErrors() {
    if errors >= 0 { close(errors) }
    errors = -1
  }

  func signal(_ number: Int32) { kill(pid, number) }

  private struct Pipe {
    /// Reading it gives what there is, and does not wait.
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
