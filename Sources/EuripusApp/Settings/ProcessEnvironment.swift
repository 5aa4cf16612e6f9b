// SPDX-License-Identifier: MIT
import Glibc

/// The environment that the process was started with.
enum ProcessEnvironment {
  /// The directory in which a user's programs keep data that outlive them. A relative path in the variable is
  /// ignored (XDG Base Directory Specification 0.8).
  static func stateDirectory(_ name: String) -> String {
    let variables = variables
    let state = variables["XDG_STATE_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
    return (state ?? (variables["HOME"] ?? "") + "/.local/state") + "/\(ProgramName.current)/" + name
  }

  static var variables: [String: String] {
    // `environ` may be changed by other threads; this file is not.
    let descriptor = open("/proc/self/environ", O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return [:] }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 16_384)
    while true {
      let count = read(descriptor, &chunk, chunk.count)
      guard count > 0 else { break }
      bytes += chunk[..<count]
    }
    var variables: [String: String] = [:]
    for entry in bytes.split(separator: 0) {
      guard let equals = entry.firstIndex(of: UInt8(ascii: "=")) else { continue }
      let value = entry[entry.index(after: equals)...]
      variables[String(decoding: entry[..<equals], as: UTF8.self)] = String(decoding: value, as: UTF8.self)
    }
    return variables
  }
}
