// SPDX-License-Identifier: MIT
import Glibc

extension EuripusServer {
  /// Serves until SIGINT or SIGTERM, and then stops: what a program whose only work is to serve calls last.
  ///
  /// To be called before the program makes threads of its own, which would otherwise take the signals.
  ///
  /// - Parameter announce: told the URL once clients can connect; by default it is written to the standard output.
  /// - Throws: as ``start()``.
  public func run(_ announce: (_ url: String) -> Void = { StandardOutput.write("Serving on \($0)") }) throws {
    let signals = Signals.blocked([SIGINT, SIGTERM])
    // A reader of the output that goes away must not end the server.
    signal(SIGPIPE, SIG_IGN)
    try start()
    announce(url)
    signals.wait()
    stop()
  }
}
