// SPDX-License-Identifier: MIT
import ArgumentParser

/// An option of the app's own, as `config` shows it beside the settings. Its value is not shown, nor its default, since
/// either may be a password, and nobody but the app knows.
struct OwnOption {
  /// Its name, by the app's property: `board-title` for `boardTitle`.
  let name: String
  let source: SettingSource
  /// The variable of the environment that sets it; empty if there is none.
  let variable: String

  /// The word in place of a value.
  static let hidden = "hidden"

  /// The options of an app that was made from a command line, in their order.
  static func all<App: EuripusApp>(of app: App) -> [OwnOption] {
    // Each is empty if the app cannot be made without options.
    let standard = Dictionary(
      (try? App.parse([])).map { values(of: $0) } ?? [], uniquingKeysWith: { first, _ in first })
    let forms = Dictionary(OwnForm.all(of: App.self).map { ($0.property, $0) }, uniquingKeysWith: { first, _ in first })
    let variables = OwnVariables(program: ProgramName.current)
    let (given, environment) = (CommandLine.arguments, ProcessEnvironment.variables)
    return values(of: app).map { property, value in
      let source: SettingSource = value == standard[property] ?? "" ? .standard : .option
      guard let form = forms[property] else {
        return OwnOption(name: SettingOptions.name(property), source: source, variable: "")
      }
      let variable = variables.variable(form.name)
      let isOfVariable = environment[variable] != nil && !form.isGiven(in: given)
      return OwnOption(name: form.name, source: isOfVariable ? .environment : source, variable: variable)
    }
  }

  private static func values(of options: Any) -> [(property: String, value: String)] {
    AppProperties.of(options).flatMap { name, property in
      property.group != nil ? values(of: property.parsed) : [(name, text(property.parsed))]
    }
  }

  /// A value as a text by which it is compared: items with commas, and nothing for an absent one.
  private static func text(_ value: Any) -> String {
    let mirror = Mirror(reflecting: value)
    switch mirror.displayStyle {
    case .optional, .collection: return mirror.children.map { text($0.value) }.joined(separator: ",")
    default: return "\(value)"
    }
  }
}
