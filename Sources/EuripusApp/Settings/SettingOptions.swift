// SPDX-License-Identifier: MIT
import ArgumentParser

/// The options of the command line: those that people set, and with `--help-all` the others.
struct SettingOptions: ParsableArguments {
  @OptionGroup(title: "Settings") var common: CommonOptions
  @OptionGroup(title: "How it runs, and how it stops", visibility: .hidden) var operation: OperationOptions
  @OptionGroup(title: "Connections and requests", visibility: .hidden) var requests: RequestOptions
  @OptionGroup(title: "Sessions", visibility: .hidden) var sessions: SessionOptions
  @OptionGroup(title: "One client", visibility: .hidden) var clients: ClientOptions
  @Flag(help: "Show the other settings as well: limits, times, how it runs and stops.") var helpAll = false

  /// The given values, by the name of the setting.
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

  /// The name of the setting whose option a property `_maxBody` is: `max-body`.
  private static func name(_ label: String) -> String {
    label.drop { $0 == "_" }.reduce(into: "") { name, letter in
      name += letter.isUppercase ? "-\(letter.lowercased())" : String(letter)
    }
  }

  /// Shows all options of a command that has these, and ends, if that is asked for.
  func helpIfAsked<App: EuripusApp>(_ app: App.Type, with command: any ParsableCommand.Type) throws {
    guard helpAll else { return }
    throw CleanExit.message(RootCommand<App>.helpMessage(for: command, includeHidden: true))
  }

  /// The settings that these options and the process's environment make of those of the app.
  ///
  /// - Throws: `ValidationError`, which names the value that cannot be, and where it comes from.
  func resolved(for app: some EuripusApp) throws -> ResolvedSettings {
    let standard = StandardSettings.of(app)
    do {
      return try ResolvedSettings(options: given, environment: ProcessEnvironment.variables, standard: standard)
    } catch {
      throw ValidationError("\(error)")
    }
  }
}
