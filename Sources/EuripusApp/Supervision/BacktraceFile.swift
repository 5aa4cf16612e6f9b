// SPDX-License-Identifier: MIT
import Glibc

/// The file that the toolchain's backtracer writes to when a server traps, and the setting that has it do so.
///
/// The backtrace is of the thread that died, with names and without registers or memory: it has no value of a user's, and
/// takes some hundredths of a second, in which nobody is served.
struct BacktraceFile {
  private static let variable = "SWIFT_BACKTRACE"
  private static let options = [
    "enable=yes", "warnings=suppressed", "color=no", "interactive=no", "threads=crashed", "registers=none",
    "images=none",
    // The innermost calls of a stack that is used up, so that the others need not be counted.
    "limit=64", "top=0", "symbolicate=fast",
  ]

  let path: String
  /// The options of the supervisor's own environment, which count more.
  private let given = getenv(BacktraceFile.variable).map { String(cString: $0) }

  /// - Parameter directory: the reports'.
  init(in directory: String) { path = "\(directory)/backtrace-\(getpid()).txt" }

  /// Sets the environment of the server that is started next.
  func ask() { setenv(Self.variable, setting, 1) }

  var setting: String {
    // A comma would end the path.
    let options = path.contains(",") ? ["enable=no"] : Self.options + ["output-to=\(path)"]
    return (options + (given.map { [$0] } ?? [])).joined(separator: ",")
  }

  /// The backtrace of the server that has died; removes the file.
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
