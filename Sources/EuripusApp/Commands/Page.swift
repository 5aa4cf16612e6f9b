// SPDX-License-Identifier: MIT
import ArgumentParser
import Euripus
import EuripusOpenAPI
import JSONPatching

/// `page`: prints a page for a view model, made from its surface.
struct Page<App: EuripusApp>: ParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "page", abstract: "Prints a page for a view model, made from its surface.",
      discussion: """
        '\(ProgramName.current) page login > Public/login.html'. The page needs the files euripus*.js and euripus-page.css of \
        Euripus beside it. The same program always prints the same. Exit status: 0, or 64 where there is no such view model, \
        with a line that names those there are.
        """)
  }

  @OptionGroup(title: "Options of this program")
  var app: App

  @Argument(help: "The name of the view model, as clients open it.")
  var model: String

  @Option(help: ArgumentHelp("The parameters with which the page opens its session.", valueName: "json"))
  var params: String?

  func run() throws {
    let model = try app.hostedModel(named: model)
    var given: JSON?
    if let params {
      do { given = try JSONReader.read(params) } catch {
        StandardError.complain("--params is no JSON: \(error)")
        throw ExitCode.validationFailure
      }
      if let fault = model.faults(of: given).first {
        StandardError.complain("--params does not fit '\(model.name)': \(fault)")
        throw ExitCode.validationFailure
      }
    }
    StandardOutput.write(String(ModelPage(model).file(params: given).dropLast()))
  }
}
