// SPDX-License-Identifier: MIT
import ObservableCore

/// The things that all states of one kind of object have in common: the names of the members in their order, and how
/// their values are written. One for all sessions.
final class ObjectShape: Sendable {
  /// The kind of view model: the name of its surface.
  let kind: String
  let labels: [OutputLabel]
  /// The names of the members' nodes: of each the name in errors and traces, if that has none of its own.
  let nodeNames: [NodeName]
  /// The writing of each member's value; `nil` for a member that is a part.
  let values: [(any ShownValue)?]

  /// - Parameter owner: the name of the entry that the members belong to, if they have one in common.
  init(_ kind: String, of owner: String? = nil, _ members: [(name: String, value: (any ShownValue)?)]) {
    self.kind = kind
    nodeNames = members.map { NodeName(owner ?? $0.name) }
    labels = members.map { OutputLabel($0.name) }
    values = members.map(\.value)
  }

  func index(of name: String) -> Int? { labels.firstIndex { $0.name.isName(name) } }

  /// The writing of the value of a member that is one.
  func value(_ member: Int) -> any ShownValue {
    guard let value = values[member] else { stopProgram(bug: "\(kind).\(labels[member].name) is a part, and no value") }
    return value
  }
}
