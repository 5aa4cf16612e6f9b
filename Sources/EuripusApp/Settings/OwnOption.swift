// SPDX-License-Identifier: MIT
import ArgumentParser

/// An option of the app's own, as `config` shows it beside the settings. Its value is not shown, nor its default, since
/// either may be a password, and nobody but the app knows.
struct OwnOption {
  /// Its name, by the app's property: `board-title` for `boardTitle`.
  let name: String
  let source: SettingSource
  /// The variable of the environment that sets it.
  let variable: String

  /// The word in place of a value.
  static let hidden = "hidden"

  /// The options of an app that was made from a command line, in their order.
  static func all<App: EuripusApp>(of app: App) -> [OwnOption] {
    // Each is empty if the app cannot be made without options.
    let standard = Dictionary(
      (try? App.parse([])).map { values(of: $0) } ?? [], uniquingKeysWith: { first, _ in first })
    let variables = OwnVariables(program: ProgramName.current)
    let (given, environment) = (CommandLine.arguments, ProcessEnvironment.variables)
    return values(of: app).map { name, value in
      let variable = variables.variable(name)
      let isGiven = OwnVariables.isGiven(name, in: given)
      let source: SettingSource =
        environment[variable] != nil && !isGiven ? .environment : value == standard[name] ?? "" ? .standard : .option
      return OwnOption(name: name, source: source, variable: variable)
    }
  }

  /// The form of an option on the command line.
  enum Form { case value, list, flag }

  /// The names of an app's options, in their order, each with its form. Arguments without a name have none.
  static func forms<App: EuripusApp>(of _: App.Type) -> [(name: String, form: Form)] { forms(in: App()) }

  private static func forms(in options: Any) -> [(name: String, form: Form)] {
    Mirror(reflecting: options).children.flatMap { child -> [(name: String, form: Form)] in
      guard let label = child.label, let property = child.value as? any AppProperty else { return [] }
      if let group = property.group { return forms(in: group) }
      return property.form.map { [(SettingOptions.name(label), $0)] } ?? []
    }
  }

  private static func values(of options: Any) -> [(name: String, value: String)] {
    Mirror(reflecting: options).children.flatMap { child -> [(name: String, value: String)] in
      guard let label = child.label, let property = child.value as? any AppProperty else { return [] }
      return property.group != nil
        ? values(of: property.parsed) : [(SettingOptions.name(label), text(property.parsed))]
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

/// A property of an app that the command line sets.
private protocol AppProperty {
  var parsed: Any { get }
  /// The form of an option; `nil` for another property.
  var form: OwnOption.Form? { get }
  /// A group without values; `nil` for another property.
  var group: Any? { get }
}

extension AppProperty {
  var form: OwnOption.Form? { nil }
  var group: Any? { nil }
}

extension Option: AppProperty {
  fileprivate var form: OwnOption.Form? { Value.self is any OptionList.Type ? .list : .value }
  fileprivate var parsed: Any { wrappedValue }
}

extension Flag: AppProperty {
  fileprivate var form: OwnOption.Form? { .flag }
  fileprivate var parsed: Any { wrappedValue }
}

extension Argument: AppProperty {
  fileprivate var parsed: Any { wrappedValue }
}

/// The type of an option that may be given several times.
private protocol OptionList {}
extension Array: OptionList {}

extension OptionGroup: AppProperty {
  fileprivate var group: Any? { Value() }
  fileprivate var parsed: Any { wrappedValue }
}
