// SPDX-License-Identifier: MIT
import CMicroHTTPDShim
import Glibc

/// Whether libmicrohttpd reads and sends through us in this program (Decisions/0019 and 0034): tried once, with a daemon and
/// a pair of sockets, because a program linked in another way, or another libmicrohttpd, would let requests through unchecked
/// and send the stubs of responses.
enum Interception {
  static let works: Bool = attempt()
  /// The same of what comes through TLS.
  static let worksSecurely = cmhd_stands_between_records()

  static var version: String { MHD_get_version().map { String(cString: $0) } ?? "of an unknown version" }

  private final class Trial {
    let stub: StubResponse
    var wasAskedToRead = false
    var calls = 0
    var wasAskedToSend = false

    init(stub: consuming StubResponse) { self.stub = stub }
  }

  private static func attempt() -> Bool {
    var pair: [Int32] = [-1, -1]
    guard let stub = StubResponse() else { return false }
    let trial = Trial(stub: stub)
    guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &pair) == 0 else { return false }
    defer { close(pair[0]) }
    var options = cmhd_daemon_options()
    options.handler = { context, connection, _, _, _, _, _, _ in
      guard let context, let connection else { return .NO }
      return Unmanaged<Trial>.fromOpaque(context)._withUnsafeGuaranteedRef { trial in
        trial.calls += 1
        // A response in the first call would close the connection.
        return trial.calls == 1 || trial.stub.queue(on: connection, closing: true) ? .YES : .NO
      }
    }
    options.context = Unmanaged.passUnretained(trial).toOpaque()
    options.connection_limit = 1
    options.connection_memory_bytes = 4_096
    guard let daemon = cmhd_start(&options) else {
      close(pair[1])
      return false
    }
    defer { MHD_stop_daemon(daemon) }
    return withExtendedLifetime(trial) {
      cmhd_stand_between(giveHead, noteSending, Unmanaged.passUnretained(trial).toOpaque(), false)
      defer { cmhd_stand_between(nil, nil, nil, false) }
      // The peer's address is only looked at, and closing the other descriptor is libmicrohttpd's.
      guard PeerAddress().withSocketAddress({ MHD_add_connection(daemon, pair[1], $0, $1) }) == .YES else {
        return false
      }
      var byte: UInt8 = 0x47
      guard write(pair[0], &byte, 1) == 1 else { return false }
      for _ in 0..<6 where !trial.wasAskedToSend { MHD_run(daemon) }
      return trial.wasAskedToRead && trial.wasAskedToSend
    }
  }

  private static let giveHead: cmhd_reader = { context, _, space, count in
    guard let context else { return Int(CMHD_LOST) }
    return Unmanaged<Trial>.fromOpaque(context)._withUnsafeGuaranteedRef { trial in
      guard !trial.wasAskedToRead else { return Int(CMHD_AGAIN) }
      trial.wasAskedToRead = true
      let space = UnsafeMutableRawBufferPointer(start: space, count: count)
      return StubHead(isHead: false, isVersion0: false, keepsAlive: false).write(to: space, fills: false)
        ?? Int(CMHD_LOST)
    }
  }

  private static let noteSending: cmhd_writer = { context, _ in
    context.map { context in
      Unmanaged<Trial>.fromOpaque(context)._withUnsafeGuaranteedRef { $0.wasAskedToSend = true }
    }
    return Int(CMHD_LOST)
  }
}
