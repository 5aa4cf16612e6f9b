// SPDX-License-Identifier: MIT
import CMicroHTTPDShim
import Glibc

/// Whether libmicrohttpd reads through us in this program (Decisions/0019): tried once, with a daemon and a pair of
/// sockets, because a program linked in another way, or another libmicrohttpd, would let requests through unchecked.
enum Interception {
  static let works: Bool = attempt()
  /// The same of what comes through TLS.
  static let worksSecurely = cmhd_reads_records()

  static var version: String { MHD_get_version().map { String(cString: $0) } ?? "of an unknown version" }

  private final class Trial {
    var wasAsked = false
  }

  private static func attempt() -> Bool {
    var pair: [Int32] = [-1, -1]
    guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &pair) == 0 else { return false }
    defer { close(pair[0]) }
    var options = cmhd_daemon_options()
    options.handler = { _, _, _, _, _, _, _, _ in .NO }
    options.connection_limit = 1
    options.connection_memory_bytes = 4_096
    guard let daemon = cmhd_start(&options) else {
      close(pair[1])
      return false
    }
    defer { MHD_stop_daemon(daemon) }
    let trial = Trial()
    return withExtendedLifetime(trial) {
      cmhd_read_with(noteReading, Unmanaged.passUnretained(trial).toOpaque(), false)
      defer { cmhd_read_with(nil, nil, false) }
      // The peer's address is only looked at, and closing the other descriptor is libmicrohttpd's.
      guard PeerAddress().withSocketAddress({ MHD_add_connection(daemon, pair[1], $0, $1) }) == .YES else {
        return false
      }
      var byte: UInt8 = 0x47
      guard send(pair[0], &byte, 1, Int32(MSG_NOSIGNAL)) == 1 else { return false }
      for _ in 0..<3 where !trial.wasAsked { MHD_run(daemon) }
      return trial.wasAsked
    }
  }

  private static let noteReading: cmhd_reader = { context, _, _, _ in
    context.map { Unmanaged<Trial>.fromOpaque($0).takeUnretainedValue().wasAsked = true }
    return Int(CMHD_LOST)
  }
}
