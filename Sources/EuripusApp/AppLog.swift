// SPDX-License-Identifier: MIT
import Euripus
import Locking
import Logging

/// The one log of the program, which an app writes to as well.
enum AppLog {
  private static let shared = Locked(Logger(label: ProgramName.current) { _ in LineLogHandler() })

  static var logger: Logger { shared.withLock { $0 } }

  /// Takes format and level from the settings, unless the app has a log of another kind.
  static func begin(_ settings: ServeSettings) -> Logger {
    let own = settings.server.log.logger
    let logger =
      own.handler is LineLogHandler
      ? Logger(label: ProgramName.current) { _ in LineLogHandler(settings.logFormat, level: settings.logLevel) } : own
    shared.withLock { $0 = logger }
    return logger
  }
}
