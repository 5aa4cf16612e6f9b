// SPDX-License-Identifier: MIT

/// What all states of one kind of object have in common: their members, in order. One for all sessions.
final class ObjectShape: Sendable {
  enum Member: Sendable {
    case value(OutputFace)
    /// An object or a list.
    case part
  }

  /// The kind of view model: the name of its surface.
  let kind: String
  let labels: [OutputLabel]
  let members: [Member]
  /// The members that a state may lack: secrets.
  let secrets: [Int]

  init(_ kind: String, _ members: [(name: String, member: Member)]) {
    self.kind = kind
    labels = members.map { OutputLabel($0.name) }
    self.members = members.map(\.member)
    let secrets = members.indices.filter { index in
      if case .value(let face) = members[index].member { face.isPresent != nil } else { false }
    }
    self.secrets = secrets
  }

  func index(of name: String) -> Int? { labels.firstIndex { $0.name.isName(name) } }
}
