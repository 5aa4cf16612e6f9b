// SPDX-License-Identifier: MIT
import ArgumentParser

/// An option of an app that a variable of the environment may set, as the command line has it.
struct OwnForm {
  enum Kind {
    case value, list
    /// The names that say yes and no; some flags cannot say no.
    case flag(on: String, off: String?)
  }

  let property: String
  /// The name of the option, or that of the flag without `enable-`.
  let name: String
  let kind: Kind

  /// The forms of an app's options, in their order. A flag that is counted or one of several words has none, nor has an
  /// option whose name is not that of its property.
  static func all<App: EuripusApp>(of _: App.Type) -> [OwnForm] { all(in: App(), OwnNames(of: App.self)) }

  private static func all(in options: Any, _ names: OwnNames) -> [OwnForm] {
    AppProperties.of(options).flatMap { property, value -> [OwnForm] in
      if let group = value.group { return all(in: group, names) }
      return value.kind.flatMap { OwnForm(property, $0, names) }.map { [$0] } ?? []
    }
  }

  private init?(_ property: String, _ kind: AppPropertyKind, _ names: OwnNames) {
    let name = names.name(of: property)
    self.property = property
    switch kind {
    case .value, .list:
      guard let name else { return nil }
      self.name = name
      self.kind = kind == .list ? .list : .value
    case .flag:
      guard let on = name ?? names.name(of: property, after: "enable") else { return nil }
      self.name = name ?? String(on.dropFirst("enable-".count))
      self.kind = .flag(
        on: on, off: names.name(of: property, after: "no") ?? names.name(of: property, after: "disable"))
    }
  }

  /// Whether a command line has it.
  func isGiven(in arguments: [String]) -> Bool {
    let names = if case .flag(let on, let off) = kind { [on, off].compactMap(\.self) } else { [name] }
    return names.contains { name in arguments.contains { $0 == "--\(name)" || $0.hasPrefix("--\(name)=") } }
  }
}
