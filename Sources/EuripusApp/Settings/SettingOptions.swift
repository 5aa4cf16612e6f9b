// SPDX-License-Identifier: MIT
import ArgumentParser

/// The options of the command line, one for each row of ``Setting/table``, and named after it.
///
/// They are taken as text, so that a value that cannot be is refused with the same words wherever it comes from.
struct SettingOptions: ParsableArguments {
  @Option(setting: "host") var host: String?
  @Option(setting: "port") var port: String?
  @Option(settings: "host-name") var hostName: [String] = []
  @Option(settings: "allow-origin") var allowOrigin: [String] = []
  @Option(settings: "trusted-proxy") var trustedProxy: [String] = []
  @Option(setting: "public") var `public`: String?
  @Option(setting: "content-security-policy") var contentSecurityPolicy: String?
  @Option(setting: "tls-cert") var tlsCert: String?
  @Option(setting: "tls-key") var tlsKey: String?
  @Option(setting: "loops") var loops: String?
  @Flag(setting: "supervise") var supervise: Bool?
  @Option(setting: "crash-reports") var crashReports: String?
  @Flag(setting: "core-dumps") var coreDumps: Bool?
  @Option(setting: "log-format") var logFormat: String?
  @Option(setting: "log-level") var logLevel: String?
  @Option(setting: "log-requests") var logRequests: String?
  @Option(setting: "metrics") var metrics: String?
  @Option(setting: "drain-time") var drainTime: String?
  @Option(setting: "stop-grace") var stopGrace: String?
  @Option(setting: "max-connections") var maxConnections: String?
  @Option(setting: "max-connections-per-address") var maxConnectionsPerAddress: String?
  @Option(setting: "max-handshakes") var maxHandshakes: String?
  @Option(setting: "max-handshakes-per-address") var maxHandshakesPerAddress: String?
  @Option(setting: "connection-idle") var connectionIdle: String?
  @Option(setting: "max-target") var maxTarget: String?
  @Option(setting: "max-header") var maxHeader: String?
  @Option(setting: "max-header-fields") var maxHeaderFields: String?
  @Option(setting: "head-time") var headTime: String?
  @Option(setting: "body-time") var bodyTime: String?
  @Option(setting: "response-time") var responseTime: String?
  @Option(setting: "response-rate") var responseRate: String?
  @Option(setting: "max-body") var maxBody: String?
  @Option(setting: "store") var store: String?
  @Option(setting: "durability") var durability: String?
  @Option(setting: "stored-time") var storedTime: String?
  @Option(setting: "max-sessions") var maxSessions: String?
  @Option(setting: "max-memory") var maxMemory: String?
  @Option(setting: "sessions-per-client") var sessionsPerClient: String?
  @Option(setting: "openings-per-minute") var openingsPerMinute: String?
  @Option(setting: "openings-burst") var openingsBurst: String?
  @Option(setting: "idle") var idle: String?
  @Option(setting: "actions-per-second") var actionsPerSecond: String?
  @Option(setting: "actions-burst") var actionsBurst: String?
  @Option(setting: "action-time") var actionTime: String?
  @Option(setting: "max-state") var maxState: String?
  @Option(setting: "command-limit") var commandLimit: String?
  @Option(setting: "max-keys") var maxKeys: String?
  @Option(setting: "key-names") var keyNames: String?
  @Option(setting: "key-memory") var keyMemory: String?
  @Option(setting: "polls-per-client") var pollsPerClient: String?
  @Option(setting: "polls-per-session") var pollsPerSession: String?
  @Option(setting: "stream-heartbeat") var streamHeartbeat: String?
  @Option(setting: "stream-life") var streamLife: String?
  @Option(setting: "stream-stall") var streamStall: String?
  @Option(setting: "stream-retry") var streamRetry: String?

  /// The given values, by the name of the setting.
  var given: [String: [String]] {
    var given: [String: [String]] = [:]
    for child in Mirror(reflecting: self).children {
      guard let label = child.label else { continue }
      switch child.value {
      case let option as Option<String?>: given[Self.name(label)] = option.wrappedValue.map { [$0] }
      case let flag as Flag<Bool?>: given[Self.name(label)] = flag.wrappedValue.map { [$0 ? "yes" : "no"] }
      case let option as Option<[String]>: given[Self.name(label)] = option.wrappedValue
      default: break
      }
    }
    return given
  }

  /// The name of the setting whose option a property `_maxBody` is: `max-body`.
  private static func name(_ label: String) -> String {
    label.drop { $0 == "_" }.reduce(into: "") { name, letter in
      name += letter.isUppercase ? "-\(letter.lowercased())" : String(letter)
    }
  }

  /// The settings that these options and the process's environment make of those of the app.
  ///
  /// - Throws: `ValidationError`, which names what cannot be, and where it comes from.
  func resolved(for app: some EuripusApp) throws -> ResolvedSettings {
    let standard = StandardSettings.of(app)
    do {
      return try ResolvedSettings(options: given, environment: ProcessEnvironment.variables, standard: standard)
    } catch {
      throw ValidationError("\(error)")
    }
  }
}

extension Flag where Value == Bool? {
  /// The flag of a setting that is yes or no, and its opposite.
  init(setting name: String) {
    self.init(name: .customLong(name), inversion: .prefixedNo, help: Setting.named(name).optionHelp)
  }
}

extension Option {
  /// The option of a setting.
  init(setting name: String) where Value == String? {
    self.init(name: .customLong(name), help: Setting.named(name).optionHelp)
  }

  /// The option of a setting that may be given several times.
  init(wrappedValue: [String], settings name: String) where Value == [String] {
    self.init(
      wrappedValue: wrappedValue, name: .customLong(name), parsing: .singleValue, help: Setting.named(name).optionHelp)
  }
}

extension Setting {
  fileprivate var optionHelp: ArgumentHelp {
    let standard = text(StandardSettings.current)
    return ArgumentHelp(
      "\(help). (\(standard.isEmpty ? "" : "default: \(standard); ")\(variable))", valueName: valueName)
  }
}
