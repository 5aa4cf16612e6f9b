// SPDX-License-Identifier: MIT
import Dispatch
import Glibc
import HTTPListening
import Logging
import Storing

extension EuripusServer {
  /// Serves until SIGINT or SIGTERM, then drains and stops. A program whose only work is to serve calls this
  /// last.
  ///
  /// After the signal, `/readyz` answers 503, no session is opened, and streams of changes end. When
  /// ``ServerConfiguration/drainTime`` is over, waiting polls are released. Requests at work are finished
  /// within ``ServerConfiguration/stopGrace``. A second signal ends the process at once, with the status 128
  /// plus the signal's number.
  ///
  /// With TLS, SIGHUP makes the server read the certificate and its key again (``reloadIdentity()``). The log
  /// says whether that succeeded.
  ///
  /// If the server cannot start, the reason is one line on the standard error, and the process exits. Its
  /// status is 1, or 65 for a store that cannot be read. ``start()`` throws instead.
  ///
  /// To be called before the program makes threads of its own, which would otherwise take the signals.
  ///
  /// - Parameter announce: called with the URL once clients can connect. By default the URL is written to the
  ///   standard output.
  public func run(_ announce: (_ url: String) -> Void = { StandardOutput.write("Serving on \($0)") }) {
    do { try serve(announce) } catch {
      StandardError.complain("\(error)")
      exit(Self.exitStatus(of: error))
    }
  }

  /// The exit status of a program that an error kept from serving.
  package static func exitStatus(of error: any Error) -> Int32 {
    // EX_DATAERR of sysexits.h: it is of no use that a supervisor tries again.
    (error as? StoreError)?.isLasting == true ? 65 : EXIT_FAILURE
  }

  /// Serves as ``run(_:)`` does.
  ///
  /// - Throws: as ``start()``.
  package func serve(prepare: () throws -> Void = {}, _ announce: (_ url: String) -> Void) throws {
    let hasIdentity = configuration.listener.tls != nil
    let signals = Signals.blocked([SIGINT, SIGTERM] + (hasIdentity ? [SIGHUP] : []))
    // If a reader of the output goes away, the server must not end.
    signal(SIGPIPE, SIG_IGN)
    // If a file may not grow (RLIMIT_FSIZE), the write fails, and the process goes on.
    signal(SIGXFSZ, SIG_IGN)
    try start(prepare)
    announce(url)
    let (logger, drainTime) = (configuration.log.logger, configuration.drainTime)
    var first = signals.wait()
    while first.number == SIGHUP {
      tellOfReload()
      first = signals.wait()
    }
    drain()
    logger.info(
      "draining",
      metadata: [
        "signal": .stringConvertible(Int(first.number)), "seconds": .stringConvertible(drainTime / .seconds(1)),
      ])
    signals.takeNext(after: first, supervisor: configuration.supervisor) { number in
      logger.warning("stopped at once by a second signal", metadata: ["signal": .stringConvertible(Int(number))])
      _exit(128 + number)
    }
    // The semaphore is never signalled: it is only waited for.
    if drainTime > .zero { _ = DispatchSemaphore(value: 0).wait(timeout: .now() + drainTime / .seconds(1)) }
    stop(within: configuration.stopGrace)
    logger.info("stopped")
  }

  private func tellOfReload() {
    let logger = configuration.log.logger
    do {
      try reloadIdentity()
      logger.notice("the certificate was read again")
    } catch {
      logger.error("the certificate was not replaced, and the one before is given on", metadata: ["error": "\(error)"])
    }
  }
}
