// SPDX-License-Identifier: MIT
import ArgumentParser
import Euripus
import EuripusOpenAPI
import ViewModels

/// `types`: prints a view model as types, for programs that are its clients.
struct Types<App: EuripusApp>: ParsableCommand {
  enum Language: String, EnumerableFlag {
    case typescript, swift

    static func help(for value: Language) -> ArgumentHelp? {
      switch value {
      case .typescript: "A module of types, which imports nothing."
      case .swift: "A class that mirrors a session; it imports the package in Examples/Clients/Swift of Euripus."
      }
    }
  }

  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "types", abstract: "Prints the state, the actions and the problems of a view model as types.",
      discussion: """
        '\(ProgramName.current) types login --typescript > login.ts'. The same program always prints the same. Exit status: 0, or 64 \
        where there is no such view model, with a line that names those there are.
        """)
  }

  @OptionGroup(title: "Options of this program")
  var app: App

  @Argument(help: "The name of the view model, as clients open it.")
  var model: String

  @Flag(exclusivity: .exclusive)
  var language: Language

  func run() throws {
    let models = try Self.models(of: app)
    guard let chosen = models.first(where: { $0.name == model }) else {
      let names = models.map(\.name).sorted().joined(separator: ", ")
      StandardError.complain("there is no view model '\(model)'; expected one of: \(names)")
      throw ExitCode.validationFailure
    }
    let types = ModelTypes(chosen.description)
    let command = "\(ProgramName.current) types \(model) --\(language.rawValue)"
    let text = language == .swift ? types.swift(command: command) : types.typeScript(command: command)
    StandardOutput.write(String(text.dropLast()))
  }

  private static func models(of app: App) throws -> Models {
    do { return try app.hostedModels() } catch {
      StandardError.complain("\(error)")
      throw ExitCode.failure
    }
  }
}
