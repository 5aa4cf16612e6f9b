// SPDX-License-Identifier: MIT
import CSupervision
import Glibc

/// A server that a supervisor has started, and the ends of the pipes that it writes to.
struct ServerProcess {
  let pid: pid_t
  /// Which of the supervisor's it is, counted from 1.
  let life: Int32
  let began: ContinuousClock.Instant
  /// Where it tells how it is; -1 when it has ended.
  private(set) var status: Int32
  /// Its standard error; -1 when it has ended.
  private(set) var errors: Int32
  private(set) var isReady = false
  /// Since when it says that it is about to die.
  private(set) var crashing: ContinuousClock.Instant?

  /// Starts this same program anew.
  ///
  /// - Parameter descriptors: what it inherits beside the pipes: the socket that listens and the memory.
  static func start(
    life: Int32, listening: Int32, memory: Int32, arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>
  ) throws(SupervisionError) -> ServerProcess {
    let status = try Pipe()
    let errors: Pipe
    do throws(SupervisionError) { errors = try Pipe() } catch {
      status.close()
      throw error
    }
    let handed = HandOver(
      listening: listening, memory: memory, status: status.writing, supervisor: getpid(), life: life)
    setenv(HandOver.variable, handed.text, 1)
    // Swift's own report of a crash takes seconds, in which nobody is served; whoever wants it says so.
    setenv("SWIFT_BACKTRACE", "enable=no", 0)
    var pid: pid_t = 0
    let inherited = [listening, memory, status.writing]
    let failure = esv_spawn_self(&pid, arguments, inherited, inherited.count, errors.writing)
    close(status.writing)
    close(errors.writing)
    guard failure == 0 else {
      close(status.reading)
      close(errors.reading)
      throw .system("starting the server", failure)
    }
    return ServerProcess(
      pid: pid, life: life, began: .now, status: status.reading, errors: errors.reading)
  }

  private init(pid: pid_t, life: Int32, began: ContinuousClock.Instant, status: Int32, errors: Int32) {
    (self.pid, self.life, self.began) = (pid, life, began)
    (self.status, self.errors) = (status, errors)
  }

  /// Takes what it has told.
  mutating func hear() {
    guard status >= 0 else { return }
    var bytes = [UInt8](repeating: 0, count: 16)
    while true {
      let count = read(status, &bytes, bytes.count)
      if count < 0, errno == EINTR { continue }
      if count == 0 { closeStatus() }
      guard count > 0 else { return }
      for byte in bytes[..<count] {
        switch StatusByte(rawValue: byte) {
        case .ready: isReady = true
        case .crashing: crashing = crashing ?? .now
        case nil: break
        }
      }
    }
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
