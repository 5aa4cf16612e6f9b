// SPDX-License-Identifier: MIT
import ArgumentParser

/// The command line.
@main
struct RootCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "euripus",
    abstract: "Hosts view models for thin clients: a page, curl or an app, over plain HTTP and JSON.",
    subcommands: [Serve.self, Config.self, Health.self, StoreCommand.self],
    defaultSubcommand: Serve.self)
}
