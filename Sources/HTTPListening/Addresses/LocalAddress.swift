// SPDX-License-Identifier: MIT
import Glibc

/// The address of a Unix socket in the file system (unix(7)).
package struct LocalAddress: Sendable {
  private var storage = sockaddr_un()

  /// - Returns: `nil` for a path that is empty or longer than the system takes.
  package init?(_ path: String) {
    storage.sun_family = sa_family_t(AF_UNIX)
    let bytes = Array(path.utf8)
    let isTaken = withUnsafeMutableBytes(of: &storage.sun_path) { room in
      // A zero byte has to fit at the end.
      guard !bytes.isEmpty, bytes.count < room.count else { return false }
      room.copyBytes(from: bytes)
      return true
    }
    if !isTaken { return nil }
  }

  package func connect(_ descriptor: Int32) -> Bool { withSocketAddress { Glibc.connect(descriptor, $0, $1) } == 0 }

  func bind(_ descriptor: Int32) -> Bool { withSocketAddress { Glibc.bind(descriptor, $0, $1) } == 0 }

  private func withSocketAddress<Result>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
    withUnsafePointer(to: storage) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(MemoryLayout<sockaddr_un>.size)) }
    }
  }
}
