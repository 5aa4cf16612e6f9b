// SPDX-License-Identifier: MIT
import ArgumentParser
import Euripus
import Locking

/// The settings before any option or variable: the library's, with the app's changes.
enum StandardSettings {
  private static let shared = Locked(ServeSettings())

  /// The settings that the help shows: those of the app without any option, if the app can be made so.
  static var current: ServeSettings { shared.withLock { $0 } }

  /// Stores the settings of an app, before the command line is read.
  static func take<App: EuripusApp>(from app: App.Type) {
    guard let plain = try? App.parse([]) else { return }
    let settings = of(plain)
    shared.withLock { $0 = settings }
  }

  /// The settings of an app that was made with its options.
  static func of<App: EuripusApp>(_ app: App) -> ServeSettings {
    var settings = ServeSettings()
    settings.sharedStore = App.sharedStore
    app.configure(&settings.server)
    return settings
  }
}
