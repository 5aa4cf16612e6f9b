// SPDX-License-Identifier: MIT
import Glibc

/// The report on a server that a signal killed. It is a text, which has the path of a change and no value.
struct CrashReport {
  /// The time at which the supervisor found it dead, in milliseconds since 1970.
  var time: Int64
  /// The path of the program.
  var program: String
  var process: Int32
  /// The number of the server among the supervisor's servers, from 1.
  var life: Int32
  var lived: Duration
  /// Whether it had served clients.
  var wasReady: Bool
  var signal: Int32
  var remains: Remains
  var lastLines: [String]

  var text: String {
    var lines = [
      "euripus: a server died of signal \(signal) (\(Self.name(of: signal))).", "",
      "time      \(Self.text(time))", "program   \(program)", "process   \(process), number \(life) of its supervisor",
      "lived     \(lived.components.seconds).\(Self.thousandths(lived.components.attoseconds / 1_000_000_000_000_000)) s\(wasReady ? "" : ", and never served")",
    ]
    lines += ["", "At work, by its thread:"]
    lines.append(
      "  \(remains.culprit?.text ?? (remains.backtrace == nil ? "(not known)" : "(nothing of a view model's)"))")
    if !remains.others.isEmpty {
      lines += ["", "At work, by others:"]
      lines += remains.others.map { "  \($0.text)" }
    }
    lines += ["", "The last lines of its standard error:"]
    lines += lastLines.isEmpty ? ["  (none)"] : lastLines.map { "  \($0)" }
    lines += ["", "The backtrace:"]
    lines += remains.backtrace.map { $0.lines.map { $0.isEmpty ? "" : "  \($0)" } } ?? ["  (none: \(whyNoBacktrace))"]
    return lines.joined(separator: "\n") + "\n"
  }

  private var whyNoBacktrace: String {
    if signal == SIGKILL { return "SIGKILL leaves a process no time for one" }
    return "the toolchain's swift-backtrace was not found or failed; OPERATIONS.md says where it is to be"
  }

  /// A time in the form of RFC 3339, in UTC.
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

  /// The name of a signal that programmers know, and its usual reason.
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
