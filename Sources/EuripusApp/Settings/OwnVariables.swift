// SPDX-License-Identifier: MIT
import ArgumentParser
import Euripus

/// The variables of the environment that set an app's own options: `HELPDESK_MAIL_FROM` for `--mail-from` of the program
/// `helpdesk`. An option of the command line counts more.
struct OwnVariables {
  /// The beginning of their names.
  let prefix: String

  init(program: String) {
    prefix = program.uppercased().map { $0.isLetter || $0.isNumber ? $0 : "_" } + "_"
  }

  func variable(_ option: String) -> String { prefix + option.uppercased().replacing("-", with: "_") }

  /// The arguments of a command line with the options that only the environment has.
  func arguments<App: EuripusApp>(_ arguments: [String], for app: App.Type, _ environment: [String: String]) -> [String]
  {
    guard let place = Self.place(in: arguments) else { return arguments }
    let given = OwnOption.forms(of: App.self).flatMap { name, form -> [String] in
      let option = "--\(name)"
      guard let value = environment[variable(name)], !Self.isGiven(name, in: arguments) else { return [] }
      switch form {
      // An empty value needs a place of its own, and one that begins with a hyphen must have none.
      case .value: return value.isEmpty ? [option, ""] : ["\(option)=\(value)"]
      // The items have commas between them, as those of settings have.
      case .list: return value.split(separator: ",").map { "\(option)=\($0)" }
      case .flag: return ["yes", "true", "1"].contains(value.lowercased()) ? [option] : []
      }
    }
    return arguments[..<place] + given + arguments[place...]
  }

  /// Whether a command line has an option.
  static func isGiven(_ option: String, in arguments: [String]) -> Bool {
    arguments.contains { $0 == "--\(option)" || $0.hasPrefix("--\(option)=") }
  }

  /// The place behind the name of a command that takes the app's options; `nil` for another command.
  private static func place(in arguments: [String]) -> Int? {
    guard let first = arguments.first else { return 0 }
    // Before these an option would be one of 'serve', whose help they would show.
    if ["-h", "--help", "--help-hidden", "--version", "--experimental-dump-help"].contains(first) { return nil }
    if first.hasPrefix("-") { return 0 }
    if ["serve", "config", "types", "page"].contains(first) { return 1 }
    return arguments.starts(with: ["store", "try"]) ? 2 : nil
  }
}
