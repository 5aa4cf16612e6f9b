// SPDX-License-Identifier: MIT
import ArgumentParser
import Euripus
import Locking

/// The settings before any option or variable: the library's, as the app changes them.
enum StandardSettings {
  private static let shared = Locked(ServeSettings())

  /// The settings that the help tells of: those of the app without any option, if it can be made so.
  static var current: ServeSettings { shared.withLock { $0 } }

  /// Takes the settings of an app, before the command line is read.
  static func take<App: EuripusApp>(from app: App.Type) {
    guard let plain = try? App.parse([]) else { return }
    let settings = of(plain)
    shared.withLock { $0 = settings }
  }

  /// The settings of an app that has its options.
  static func of(_ app: some EuripusApp) -> ServeSettings {
    var settings = ServeSettings()
    app.configure(&settings.server)
    return settings
  }
}
