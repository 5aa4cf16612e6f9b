// SPDX-License-Identifier: MIT
import ArgumentParser

/// An option of the app's own, as `config` shows it beside the settings.
struct OwnOption {
  /// Its name, by the app's property: `board-title` for `boardTitle`.
  let name: String
  let value: String
  /// Its value without any option; empty if the app cannot be made so.
  let standard: String
  var source: SettingSource { value == standard ? .standard : .option }

  /// The options of an app that was made from a command line, in their order.
  static func all<App: EuripusApp>(of app: App) -> [OwnOption] {
    let standard = Dictionary(
      (try? App.parse([])).map { values(of: $0) } ?? [], uniquingKeysWith: { first, _ in first })
    return values(of: app).map { OwnOption(name: $0, value: $1, standard: standard[$0] ?? "") }
  }

  private static func values(of options: Any) -> [(name: String, value: String)] {
    Mirror(reflecting: options).children.flatMap { child -> [(name: String, value: String)] in
      guard let label = child.label, let property = child.value as? any AppProperty else { return [] }
      return property.isGroup
        ? values(of: property.parsed) : [(SettingOptions.name(label), text(property.parsed))]
    }
  }

  /// A value as the settings show theirs: items with commas, `yes` and `no`, and nothing for an absent one.
  private static func text(_ value: Any) -> String {
    if let isSet = value as? Bool { return isSet ? "yes" : "no" }
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
  var isGroup: Bool { get }
}

extension AppProperty {
  var isGroup: Bool { false }
}

extension Option: AppProperty {
  fileprivate var parsed: Any { wrappedValue }
}

extension Flag: AppProperty {
  fileprivate var parsed: Any { wrappedValue }
}

extension Argument: AppProperty {
  fileprivate var parsed: Any { wrappedValue }
}

extension OptionGroup: AppProperty {
  fileprivate var parsed: Any { wrappedValue }
  fileprivate var isGroup: Bool { true }
}
