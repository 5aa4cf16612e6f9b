// SPDX-License-Identifier: MIT
import Dispatch
import Glibc
import HTTPListening
import Logging
import Sessions

extension EuripusServer {
  /// Serves until SIGINT or SIGTERM, and then drains and stops. A program whose only work is to serve calls it last.
  ///
  /// After the signal `/readyz` answers 503 and no session is opened, and streams of changes end; when ``ServerConfiguration/drainTime`` is over,
  /// waiting polls are released, and requests at work are finished within ``ServerConfiguration/stopGrace``. A second signal
  /// ends the process there and then, with status 128 and the signal's number.
  ///
  /// With TLS, SIGHUP has the certificate and its key read again (``reloadIdentity()``), and the log says what came of it.
  ///
  /// If it cannot start, the reason is one line on the standard error, and the process exits: with status 1, or 65 for a store that
  /// cannot be read. ``start()`` throws instead.
  ///
  /// To be called before the program makes threads of its own, which would otherwise take the signals.
  ///
  /// - Parameter announce: told the URL once clients can connect; by default it is written to the standard output.
  public func run(_ announce: (_ url: String) -> Void = { StandardOutput.write("Serving on \($0)") }) {
    do { try serve(announce) } catch {
      StandardError.complain("\(error)")
      exit(Self.exitStatus(of: error))
    }
  }

  /// The status with which a program ends that an error kept from serving.
  package static func exitStatus(of error: any Error) -> Int32 {
    // EX_DATAERR of sysexits.h: a supervisor need not try again.
    (error as? StoreError)?.isLasting == true ? 65 : EXIT_FAILURE
  }

  /// Serves as ``run(_:)`` does.
  ///
  /// - Throws: as ``start()``.
  package func serve(_ announce: (_ url: String) -> Void) throws {
    let hasIdentity = configuration.listener.tls != nil
    let signals = Signals.blocked([SIGINT, SIGTERM] + (hasIdentity ? [SIGHUP] : []))
    // A reader of the output that goes away must not end the server.
    signal(SIGPIPE, SIG_IGN)
    // A file that may not grow (RLIMIT_FSIZE) is a write that fails.
    signal(SIGXFSZ, SIG_IGN)
    try start()
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
    // Nobody signals it: it is only waited for.
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
