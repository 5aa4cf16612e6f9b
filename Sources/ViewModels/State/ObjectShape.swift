// SPDX-License-Identifier: MIT
import ObservableCore

/// The common part of all states of one kind of object: the names of the members, in order, and the writing of
/// their values. All sessions share it.
final class ObjectShape: Sendable {
  /// The kind of view model: the name of its surface.
  let kind: String
  let labels: [OutputLabel]
  /// The names of the members' nodes. A node without a name of its own has this one in errors and traces.
  let nodeNames: [NodeName]
  /// The writing of each member's value; `nil` for a member that is a part.
  let values: [(any ShownValue)?]
  /// Whether some values are for certain users of a room.
  let hasAudiences: Bool

  /// - Parameter owner: the name of the entry that all members belong to; `nil` if there is none.
  init(_ kind: String, of owner: String? = nil, _ members: [(name: String, value: (any ShownValue)?)]) {
    self.kind = kind
    nodeNames = members.map { NodeName(owner ?? $0.name) }
    labels = members.map { OutputLabel($0.name) }
    values = members.map(\.value)
    hasAudiences = values.contains { $0?.roomAudience != nil }
  }

  func index(of name: String) -> Int? { labels.firstIndex { $0.name.isName(name) } }

  /// The writing of a member's value. The member must not be a part.
  func value(_ member: Int) -> any ShownValue {
    guard let value = values[member] else { stopProgram(bug: "\(kind).\(labels[member].name) is a part, and no value") }
    return value
  }
}
