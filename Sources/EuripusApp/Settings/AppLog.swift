// SPDX-License-Identifier: MIT
import Euripus
import Locking
import Logging

/// The one log of the program; an app writes to it too.
enum AppLog {
  private static let shared = Locked(Logger(label: ProgramName.current) { _ in LineLogHandler() })

  static var logger: Logger { shared.withLock { $0 } }

  /// Sets the format and the level of the settings, unless the app has a log of another kind.
  static func begin(_ settings: ServeSettings) -> Logger {
    let own = settings.server.log.logger
    let logger =
      own.handler is LineLogHandler
      ? Logger(label: ProgramName.current) { _ in LineLogHandler(settings.logFormat, level: settings.logLevel) } : own
    shared.withLock { $0 = logger }
    return logger
  }
}
