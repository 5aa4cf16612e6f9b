// SPDX-License-Identifier: MIT

/// The backtrace of a server that a deadly signal ended. The toolchain's `swift-backtrace` wrote it.
struct Backtrace: Equatable {
  let lines: [String]
  /// The slot of the thread, which its name tells; `nil` for a thread without one.
  let slot: Int?

  /// - Returns: `nil` for a text that is no backtrace, or an unfinished one.
  init?(_ text: String) {
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    guard let thread = lines.lazy.compactMap({ $0.wholeMatch(of: #/Thread \d+(?: "(.*)")? crashed:/#) }).first else {
      return nil
    }
    lines.removeAll { $0.hasPrefix("Backtrace took ") || $0.hasPrefix("Platform: ") }
    while lines.last?.isEmpty == true { lines.removeLast() }
    self.lines = lines.reduce(into: []) { if !$1.isEmpty || $0.last?.isEmpty == false { $0.append($1) } }
    slot = thread.1.flatMap { $0.wholeMatch(of: #/model (\d+)/#) }.flatMap { Int($0.1) }
  }
}
