// SPDX-License-Identifier: MIT
import ArgumentParser

/// An option of the app's own, as `config` shows it beside the settings. Its value is not shown, nor its default, since
/// either may be a password, and nobody but the app knows.
struct OwnOption {
  /// Its name, by the app's property: `board-title` for `boardTitle`.
  let name: String
  let source: SettingSource

  /// The word in place of a value.
  static let hidden = "hidden"

  /// The options of an app that was made from a command line, in their order.
  static func all<App: EuripusApp>(of app: App) -> [OwnOption] {
    // Each is empty if the app cannot be made without options.
    let standard = Dictionary(
      (try? App.parse([])).map { values(of: $0) } ?? [], uniquingKeysWith: { first, _ in first })
    return values(of: app).map { OwnOption(name: $0, source: $1 == standard[$0] ?? "" ? .standard : .option) }
  }

  private static func values(of options: Any) -> [(name: String, value: String)] {
    Mirror(reflecting: options).children.flatMap { child -> [(name: String, value: String)] in
      guard let label = child.label, let property = child.value as? any AppProperty else { return [] }
      return property.isGroup
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
