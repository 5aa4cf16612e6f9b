// SPDX-License-Identifier: MIT
import Glibc

/// Files in which the system tells about itself, such as those of proc(5).
package enum SystemFile {
  /// The text of a file; `nil` if it cannot be read.
  package static func text(_ path: String) -> String? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 8_192)
    while true {
      let count = read(descriptor, &chunk, chunk.count)
      guard count > 0 else { break }
      bytes += chunk[..<count]
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
