// SPDX-License-Identifier: MIT
import ArgumentParser

/// The command line of an app.
struct RootCommand<App: EuripusApp>: ParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: ProgramName.current, abstract: App.abstract, version: App.version,
      subcommands: [
        Serve<App>.self, Config<App>.self, Types<App>.self, Health.self, SessionsCommand.self, StoreCommand<App>.self,
      ],
      defaultSubcommand: Serve<App>.self)
  }
}
