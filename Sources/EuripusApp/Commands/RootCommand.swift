// SPDX-License-Identifier: MIT
package import ArgumentParser
import Euripus
public import Logging

/// An app with commands that other apps do not have, beside those of each.
package protocol AppWithTools: EuripusApp {
  static var tools: [any ParsableCommand.Type] { get }
}

/// The command line of an app.
struct RootCommand<App: EuripusApp>: ParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: ProgramName.current, abstract: App.abstract, version: App.version,
      subcommands: [
        Serve<App>.self, Config<App>.self, Types<App>.self, Page<App>.self, Health.self, SessionsCommand.self,
        StoreCommand<App>.self,
      ] + ((App.self as? any AppWithTools.Type)?.tools ?? []),
      defaultSubcommand: Serve<App>.self)
  }
}

extension EuripusApp {
  /// Runs the command of the command line, and exits if that is not to serve until a signal.
  public static func main() {
    StandardSettings.take(from: Self.self)
    let variables = OwnVariables(program: ProgramName.current)
    do {
      RootCommand<Self>.main(
        try variables.arguments(
          Array(CommandLine.arguments.dropFirst()), for: Self.self, ProcessEnvironment.variables))
    } catch { RootCommand<Self>.exit(withError: error) }
  }

  /// The server's log, with the format and the level of the settings.
  public var logger: Logger { AppLog.logger }

  /// A variable of the environment that the program was started with.
  public static func variable(_ name: String) -> String? { ProcessEnvironment.variables[name] }

  /// The directory of this program, with that name, among the data of a user's programs that outlive them:
  /// `$XDG_STATE_HOME/board/NAME`, or `~/.local/state/board/NAME`. It is not made.
  public static func stateDirectory(_ name: String) -> String { ProcessEnvironment.stateDirectory(name) }
}

extension SettingOptions {
  /// If `--help-all` was given, shows all options of a command that has these, and ends.
  func helpIfAsked<App: EuripusApp>(_ app: App.Type, with command: any ParsableCommand.Type) throws {
    guard helpAll else { return }
    throw CleanExit.message(RootCommand<App>.helpMessage(for: command, includeHidden: true))
  }
}
