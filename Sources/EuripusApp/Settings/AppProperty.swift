// SPDX-License-Identifier: MIT
import ArgumentParser

/// A property of an app that the command line sets.
protocol AppProperty {
  var parsed: Any { get }
  /// The kind of an option that a variable of the environment may set; `nil` for another property.
  var kind: AppPropertyKind? { get }
  /// A group without values; `nil` for another property.
  var group: Any? { get }
}

enum AppPropertyKind {
  case value, list, flag
}

extension AppProperty {
  var kind: AppPropertyKind? { nil }
  var group: Any? { nil }
}

extension Option: AppProperty {
  var kind: AppPropertyKind? { Value.self is any OptionList.Type ? .list : .value }
  var parsed: Any { wrappedValue }
}

extension Flag: AppProperty {
  var kind: AppPropertyKind? { Value.self is Bool.Type || Value.self is Bool?.Type ? .flag : nil }
  var parsed: Any { wrappedValue }
}

extension Argument: AppProperty {
  var parsed: Any { wrappedValue }
}

extension OptionGroup: AppProperty {
  var group: Any? { Value() }
  var parsed: Any { wrappedValue }
}

/// The properties of an app, or of a group of its options, with their names.
enum AppProperties {
  static func of(_ options: Any) -> [(name: String, property: any AppProperty)] {
    Mirror(reflecting: options).children.compactMap { child in
      guard let label = child.label, let property = child.value as? any AppProperty else { return nil }
      return (String(label.drop { $0 == "_" }), property)
    }
  }
}

/// The type of an option that may be given several times.
private protocol OptionList {}
extension Array: OptionList {}
