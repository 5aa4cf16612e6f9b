// SPDX-License-Identifier: MIT

/// The names of the members of a class that mirrors a view model, so that no two are declared twice.
struct SwiftMembers {
  /// The observables, in the order of the state's members.
  let observables: [String]
  /// The labels by which `set` tells the writable places apart, by the paths of these.
  private(set) var labels: [String: String] = [:]
  /// The methods of actions, by their paths.
  private(set) var methods: [String: String] = [:]
  /// The methods that cancel commands, by their paths.
  private(set) var cancels: [String: String] = [:]

  /// - Parameter members: the names of the state's members on the wire.
  init(_ members: [String], values: [ModelTypes.Place], actions: [ModelTypes.Place]) {
    observables = SwiftName.all(of: members)
    let own = Dictionary(uniqueKeysWithValues: zip(members, observables))
    for path in values.map(\.path) {
      labels[path] = own[path] ?? SwiftName.of(SwiftName.text(ofPath: path), besides: observables + labels.values)
    }
    for action in actions {
      let text = SwiftName.text(ofPath: action.path)
      // A method with parameters may be called as an observable is: a command is both.
      let isBare = !action.isCommand && action.takes == nil && !action.path.contains("{")
      methods[action.path] = SwiftName.of(text, besides: Array(methods.values) + (isBare ? observables : []))
    }
    for command in actions where command.isCommand {
      let text = "cancel" + SchemaName.of(SwiftName.text(ofPath: command.path))
      cancels[command.path] = SwiftName.of(text, besides: observables + methods.values + cancels.values)
    }
  }
}
