// SPDX-License-Identifier: MIT
import Glibc

/// The file to which the toolchain's backtracer writes when a server traps, and the setting that makes it do
/// so.
///
/// The backtrace is that of the thread that died, with names, and without registers or memory. So it has no
/// value of a user. It takes some hundredths of a second, in which no client is served.
struct BacktraceFile {
  private static let variable = "SWIFT_BACKTRACE"
  private static let options = [
    "enable=yes", "warnings=suppressed", "color=no", "interactive=no", "threads=crashed", "registers=none",
    "images=none",
    // Only the innermost calls: the many others of a stack that has overflowed need not be counted.
    "limit=64", "top=0", "symbolicate=fast",
  ]

  let path: String
  /// The options in the supervisor's own environment, which count more.
  private let given = getenv(BacktraceFile.variable).map { String(cString: $0) }

  /// - Parameter directory: the directory of the reports.
  init(in directory: String) { path = "\(directory)/backtrace-\(getpid()).txt" }

  /// Sets the environment for the next server.
  func ask() { setenv(Self.variable, setting, 1) }

  var setting: String {
    // A comma would end the path.
    let options = path.contains(",") ? ["enable=no"] : Self.options + ["output-to=\(path)"]
    return (options + (given.map { [$0] } ?? [])).joined(separator: ",")
  }

  /// Reads the backtrace of the server that has died, and removes the file.
  func take() -> Backtrace? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard descriptor >= 0 else { return nil }
    defer {
      close(descriptor)
      unlink(path)
    }
    var text: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 16_384)
    while text.count < 262_144 {
      let count = read(descriptor, &chunk, chunk.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { break }
      text += chunk[..<count]
    }
    return Backtrace(String(decoding: text, as: UTF8.self))
  }
}

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
