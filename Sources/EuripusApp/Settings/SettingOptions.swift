// SPDX-License-Identifier: MIT
import ArgumentParser

/// The options of the command line. The help shows the common ones, and with `--help-all` the others too.
struct SettingOptions: ParsableArguments {
  @OptionGroup(title: "Settings") var common: CommonOptions
  @OptionGroup(title: "How it runs, and how it stops", visibility: .hidden) var operation: OperationOptions
  @OptionGroup(title: "Connections and requests", visibility: .hidden) var requests: RequestOptions
  @OptionGroup(title: "Sessions", visibility: .hidden) var sessions: SessionOptions
  @OptionGroup(title: "One client", visibility: .hidden) var clients: ClientOptions
  @Flag(help: "Show the other settings as well: limits, times, how it runs and stops.") var helpAll = false

  /// The given values, by the names of the settings.
  var given: [String: [String]] {
    let groups: [Any] = [common, operation, requests, sessions, clients]
    var given: [String: [String]] = [:]
    for child in groups.flatMap({ Mirror(reflecting: $0).children }) {
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

  /// The name of a setting, by the property of its option: `max-body` for `_maxBody`.
  static func name(_ label: String) -> String {
    label.drop { $0 == "_" }.reduce(into: "") { name, letter in
      name += letter.isUppercase ? "-\(letter.lowercased())" : String(letter)
    }
  }

  /// The settings that result from these options, the process's environment and the app's settings.
  ///
  /// - Throws: `ValidationError`, which names the impossible value and its source.
  func resolved(for app: some EuripusApp) throws -> ResolvedSettings {
    let standard = StandardSettings.of(app)
    do {
      return try ResolvedSettings(options: given, environment: ProcessEnvironment.variables, standard: standard)
    } catch {
      throw ValidationError("\(error)")
    }
  }
}
