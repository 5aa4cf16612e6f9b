// SPDX-License-Identifier: MIT

/// The names that all states of one kind of object have in common, in their order. One for all sessions.
final class ObjectShape: Sendable {
  /// The kind of view model: the name of its surface.
  let kind: String
  let labels: [OutputLabel]

  init(_ kind: String, _ names: [String]) {
    self.kind = kind
    labels = names.map { OutputLabel($0) }
  }

  func index(of name: String) -> Int? { labels.firstIndex { $0.name.isName(name) } }
}
