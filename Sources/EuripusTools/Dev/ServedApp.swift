// SPDX-License-Identifier: MIT
import Foundation

/// The program that is developed, as a server with a supervisor. The supervisor replaces it by the next build on the path
/// that a release takes (Decisions/0056).
final class ServedApp {
  /// The words that its output has for the author.
  enum News: Sendable, Equatable {
    /// It serves at that address.
    case serves(String)
    /// The next build has taken its place.
    case replaced
    /// The next build does not start, and the one before goes on.
    case notReplaced
    /// It has trapped, as that line says.
    case trapped(String)
    /// It has died, and the file at that path has its backtrace.
    case died(report: String)
    /// Its code has thrown an error that no client sees, as that part of a line of the log says.
    case threw(String)
  }

  private let process = Process()
  private let output: RelayedLines
  private let errors: RelayedLines

  /// - Parameters:
  ///   - arguments: the options of `serve` beside those of the development.
  ///   - news: the file of the news for its pages.
  ///   - tell: gets what it says, on threads of its own.
  init(_ program: String, _ arguments: [String], news: String, tell: @escaping @Sendable (News) -> Void) throws {
    output = RelayedLines(to: .standardOutput) { line in
      if let match = line.prefixMatch(of: #/Euripus is serving .* on (https?:\S+)/#) { tell(.serves(String(match.1))) }
    }
    errors = RelayedLines(to: .standardError) { line in
      if let news = Self.news(in: line) { tell(news) }
    }
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = ["serve", "--dev", "--supervise"] + arguments
    // It ends when this pipe does. At a terminal SIGHUP would not replace it.
    process.standardInput = Pipe()
    process.standardOutput = output.pipe
    process.standardError = errors.pipe
    // By the name that `DevelopmentServer` of EuripusApp reads, which this target does not know.
    process.environment = ProcessInfo.processInfo.environment.merging(["EURIPUS_DEVELOPMENT": news]) { $1 }
    // Under nohup this process ignores the signal, and what it starts would too.
    let before = signal(SIGHUP, SIG_DFL)
    defer { _ = signal(SIGHUP, before) }
    try process.run()
    output.begin()
    errors.begin()
  }

  var isRunning: Bool { process.isRunning }

  /// Asks it to make place for the program that is at its path now.
  func replace() { kill(process.processIdentifier, SIGHUP) }

  func end() {
    if process.isRunning { process.terminate() }
    process.waitUntilExit()
    output.finish()
    errors.finish()
  }

  /// The last lines that it wrote.
  var lastLines: [String] { errors.all.suffix(10) + output.all.suffix(10) }

  static func news(in line: String) -> News? {
    if line.contains("the program at its path has taken the server's place") { return .replaced }
    if line.contains("the program at its path cannot take the server's place") { return .notReplaced }
    if line.wholeMatch(of: #/.*\.swift:\d+: (Fatal error|Precondition failed|Assertion failed).*/#) != nil {
      return .trapped(Fault.shortened(line))
    }
    if let match = line.firstMatch(of: #/ error the server died .*\breport=(?:"([^"]+)"|(\S+))/#) {
      return .died(report: String(match.1 ?? match.2 ?? ""))
    }
    if let match = line.wholeMatch(
      of: #/\S+ error (((an? .+|code) threw|a route failed|work in the background has failed)\b.*)/#)
    {
      return .threw(String(match.1))
    }
    return nil
  }
}
