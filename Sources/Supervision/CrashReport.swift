// SPDX-License-Identifier: MIT
import Glibc

/// What an operator is told of a server that died of a signal: a text, with nothing of a request but its method and path.
struct CrashReport {
  /// When it was found dead, in milliseconds since 1970.
  var time: Int64
  /// What program it was.
  var program: String
  var process: Int32
  /// Which server of the supervisor's it was, counted from 1.
  var life: Int32
  var lived: Duration
  /// Whether it had served clients.
  var wasReady: Bool
  var signal: Int32
  var remains: Remains
  var lastLines: [String]

  /// Reads the files of the program and its libraries, for the names of functions.
  var text: String {
    var lines = [
      "euripus: a server died of signal \(signal) (\(Self.name(of: signal))).", "",
      "time      \(Self.text(time))", "program   \(program)", "process   \(process), number \(life) of its supervisor",
      "lived     \(lived.components.seconds).\(Self.thousandths(lived.components.attoseconds / 1_000_000_000_000_000)) s\(wasReady ? "" : ", and never served")",
    ]
    if let crash = remains.crash, Self.hasAddress(crash) {
      lines.append("address   0x\(String(crash.address, radix: 16))")
    }
    lines += ["", "At work, by its thread:"]
    lines.append(
      "  \(remains.culprit?.text ?? (remains.crash == nil ? "(not known)" : "(nothing that a request asked for)"))")
    if !remains.others.isEmpty {
      lines += ["", "At work, by others:"]
      lines += remains.others.map { "  \($0.text)" }
    }
    lines += ["", "The last lines of its standard error:"]
    lines += lastLines.isEmpty ? ["  (none)"] : lastLines.map { "  \($0)" }
    lines += ["", "The calls, from the innermost on:"]
    let calls = remains.crash.map { Backtrace.lines($0) } ?? []
    lines += calls.isEmpty ? ["  (none: the signal leaves a process no time to say)"] : calls
    return lines.joined(separator: "\n") + "\n"
  }

  /// Whether the signal is about an address, which the kernel has told.
  private static func hasAddress(_ crash: Remains.Crash) -> Bool {
    (crash.signal == SIGSEGV || crash.signal == SIGBUS) && crash.code > 0
  }

  /// RFC 3339, UTC.
  static func text(_ time: Int64, format: String = "%Y-%m-%dT%H:%M:%S") -> String {
    var (seconds, parts) = (time_t(time / 1_000), tm())
    guard gmtime_r(&seconds, &parts) != nil else { return "\(time)" }
    var text = [CChar](repeating: 0, count: 64)
    let count = strftime(&text, text.count, format, &parts)
    return String(decoding: text[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
      + ".\(thousandths(time % 1_000))Z"
  }

  private static func thousandths(_ number: Int64) -> String {
    String(repeating: "0", count: number < 10 ? 2 : number < 100 ? 1 : 0) + "\(number)"
  }

  /// What a programmer calls it.
  static func name(of signal: Int32) -> String {
    switch signal {
    case SIGILL: "SIGILL, as of an error that the Swift runtime found"
    case SIGTRAP: "SIGTRAP, as of an error that the Swift runtime found"
    case SIGSEGV: "SIGSEGV, an address that is not the process's, or a stack that is used up"
    case SIGBUS: "SIGBUS, memory that cannot be had"
    case SIGABRT: "SIGABRT, an error that a library found"
    case SIGFPE: "SIGFPE, an impossible calculation"
    case SIGSYS: "SIGSYS, a system call that is not allowed"
    case SIGKILL: "SIGKILL, sent by somebody, or by the system for lack of memory"
    default: signalName(signal)
    }
  }

  private static func signalName(_ signal: Int32) -> String {
    strsignal(signal).map { String(cString: $0) } ?? "unknown"
  }
}
