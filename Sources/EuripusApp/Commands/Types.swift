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
    let types = ModelTypes(try app.hostedModel(named: model).description)
    let command = "\(ProgramName.current) types \(model) --\(language.rawValue)"
    let text = language == .swift ? types.swift(command: command) : types.typeScript(command: command)
    StandardOutput.write(String(text.dropLast()))
  }
}

extension EuripusApp {
  /// The view model of a name that a person gave. Where it cannot be had, a line says why before the command ends.
  func hostedModel(named name: String) throws -> HostedModelType {
    let models: Models
    do { models = try hostedModels() } catch {
      StandardError.complain("\(error)")
      throw ExitCode.failure
    }
    if let model = models.first(where: { $0.name == name }) { return model }
    let names = models.map(\.name).sorted().joined(separator: ", ")
    let hasTools = Self.self is any AppWithTools.Type
    let remedy = hasTools ? "; one of your own app is in its program, as in 'swift run shop page todo'" : ""
    StandardError.complain("there is no view model '\(name)' in this program; expected one of: \(names)\(remedy)")
    throw ExitCode.validationFailure
  }
}
