// SPDX-License-Identifier: MIT
import ArgumentParser
import Euripus

// One option for each row of the table, in the table's groups, with the row's name. The options are texts, so
// that an impossible value is refused with the same words wherever it comes from.

/// The options that operators most often set.
struct CommonOptions: ParsableArguments {
  @Option(setting: "host") var host: String?
  @Option(setting: "port") var port: String?
  @Option(settings: "host-name") var hostName: [String] = []
  @Option(settings: "trusted-proxy") var trustedProxy: [String] = []
  @Option(setting: "user-header") var userHeader: String?
  @Option(setting: "public") var `public`: String?
  @Option(setting: "tls-cert") var tlsCert: String?
  @Option(setting: "tls-key") var tlsKey: String?
  @Option(setting: "store") var store: String?
  @Option(setting: "node-url") var nodeUrl: String?
  @Option(setting: "admin", alone: AdministrationPlace.standard) var admin: String?
  @Flag(setting: "supervise") var supervise: Bool?
  @Flag(setting: "dev") var dev: Bool?
  @Option(setting: "log-format") var logFormat: String?
  @Option(setting: "log-level") var logLevel: String?
  @Option(setting: "log-requests") var logRequests: String?
}

/// The options of the process.
struct OperationOptions: ParsableArguments {
  @Option(settings: "allow-origin") var allowOrigin: [String] = []
  @Option(setting: "content-security-policy") var contentSecurityPolicy: String?
  @Option(setting: "loops") var loops: String?
  @Option(setting: "crash-reports") var crashReports: String?
  @Flag(setting: "core-dumps") var coreDumps: Bool?
  @Option(setting: "metrics") var metrics: String?
  @Option(setting: "drain-time") var drainTime: String?
  @Option(setting: "stop-grace") var stopGrace: String?
}

/// The options about connections and requests.
struct RequestOptions: ParsableArguments {
  @Option(setting: "max-connections") var maxConnections: String?
  @Option(setting: "max-connections-per-address") var maxConnectionsPerAddress: String?
  @Option(setting: "connection-idle") var connectionIdle: String?
  @Option(setting: "max-header") var maxHeader: String?
  @Option(setting: "max-body") var maxBody: String?
  @Option(setting: "head-time") var headTime: String?
  @Option(setting: "body-time") var bodyTime: String?
  @Option(setting: "response-time") var responseTime: String?
}

/// The options about all sessions.
struct SessionOptions: ParsableArguments {
  @Option(setting: "durability") var durability: String?
  @Option(setting: "stored-time") var storedTime: String?
  @Option(setting: "max-store") var maxStore: String?
  @Option(setting: "uploads") var uploads: String?
  @Option(setting: "max-uploads") var maxUploads: String?
  @Option(setting: "idle") var idle: String?
  @Option(setting: "max-sessions") var maxSessions: String?
  @Option(setting: "max-memory") var maxMemory: String?
  @Option(setting: "max-state") var maxState: String?
}

/// The options about one client.
struct ClientOptions: ParsableArguments {
  @Option(setting: "sessions-per-client") var sessionsPerClient: String?
  @Option(setting: "openings-per-minute") var openingsPerMinute: String?
  @Option(setting: "actions-per-second") var actionsPerSecond: String?
  @Option(setting: "action-time") var actionTime: String?
  @Option(setting: "command-limit") var commandLimit: String?
  @Option(setting: "key-memory") var keyMemory: String?
  @Option(setting: "polls-per-client") var pollsPerClient: String?
  @Option(setting: "stream-life") var streamLife: String?
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

  /// The option of a setting that may also be given without a value.
  ///
  /// - Parameter standard: the value of the option without one.
  init(setting name: String, alone standard: some CustomStringConvertible) where Value == String? {
    self.init(
      name: .customLong(name), defaultAsFlag: "\(standard)", parsing: .next, help: Setting.named(name).optionHelp)
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
