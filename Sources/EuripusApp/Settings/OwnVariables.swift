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
  ///
  /// - Throws: `ValidationError`, which names the variable of a flag that is neither on nor off.
  func arguments<App: EuripusApp>(
    _ arguments: [String], for app: App.Type, _ environment: [String: String]
  ) throws -> [String] {
    guard let place = Self.place(in: arguments), environment.keys.contains(where: { $0.hasPrefix(prefix) }) else {
      return arguments
    }
    let given = try OwnForm.all(of: App.self).flatMap { form -> [String] in
      let (option, variable) = ("--\(form.name)", variable(form.name))
      guard let value = environment[variable], !form.isGiven(in: arguments) else { return [] }
      switch form.kind {
      // An empty value needs a place of its own, and one that begins with a hyphen must have none.
      case .value: return value.isEmpty ? [option, ""] : ["\(option)=\(value)"]
      // The items have commas between them, as those of settings have.
      case .list: return value.split(separator: ",").map { "\(option)=\($0)" }
      case .flag(let on, let off):
        guard let isOn = Self.isOn(value) else {
          throw ValidationError("\(variable) must be yes or no; got '\(value)'")
        }
        return (isOn ? on : off).map { ["--\($0)"] } ?? []
      }
    }
    return arguments[..<place] + given + arguments[place...]
  }

  private static func isOn(_ text: String) -> Bool? {
    switch text.lowercased() {
    case "yes", "true", "1": true
    case "no", "false", "0": false
    default: nil
    }
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
