// SPDX-License-Identifier: MIT

/// What all states of one kind of object have in common: their members, in order. One for all sessions.
final class ObjectShape: Sendable {
  enum Member: Sendable {
    case value(OutputFace)
    /// An object or a list, with the bytes of the shortest.
    case part(leastLength: Int)

    fileprivate var leastLength: Int {
      switch self {
      case .value: 1
      case .part(let length): length
      }
    }
  }

  /// The kind of view model: the name of its surface.
  let kind: String
  let labels: [OutputLabel]
  let members: [Member]
  /// The members that a state may lack: secrets.
  let secrets: [Int]
  /// No state is shorter than this many bytes: each member has its name, and a value of one byte at least.
  let leastLength: Int

  init(_ kind: String, _ members: [(name: String, member: Member)]) {
    self.kind = kind
    labels = members.map { OutputLabel($0.name) }
    self.members = members.map(\.member)
    let secrets = members.indices.filter { index in
      if case .value(let face) = members[index].member { face.isPresent != nil } else { false }
    }
    self.secrets = secrets
    let lengths = members.indices.filter { !secrets.contains($0) }.map { index in
      "\"\(members[index].name)\":".utf8.count + members[index].member.leastLength
    }
    leastLength = "{}".utf8.count + lengths.reduce(0, +) + max(0, lengths.count - 1)
  }

  func index(of name: String) -> Int? { labels.firstIndex { $0.name == name } }
}
