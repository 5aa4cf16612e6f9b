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
  let members: [Member]
  private let labels: [OutputLabel]
  // The same, and what is known of the members that are values; not counted, as all sessions have them in common.
  private let uncountedLabels: [Unmanaged<OutputLabel>]
  private let faces: [Unmanaged<OutputFace>?]
  /// The members that a state may lack: secrets.
  let secrets: [Int]

  init(_ kind: String, _ members: [(name: String, member: Member)]) {
    self.kind = kind
    labels = members.map { OutputLabel($0.name) }
    uncountedLabels = labels.map { .passUnretained($0) }
    self.members = members.map(\.member)
    faces = members.map { if case .value(let face) = $0.member { .passUnretained(face) } else { nil } }
    let secrets = members.indices.filter { index in
      if case .value(let face) = members[index].member { face.isPresent != nil } else { false }
    }
    self.secrets = secrets
  }

  /// What can be done with a member, which is a value.
  func face(_ member: Int) -> Unmanaged<OutputFace> {
    // Its contents were compared with it when they were made. Not preconditionFailure, which says nothing in a release build.
    guard let face = faces[member] else { fatalError("\(kind): the contents are of another shape") }
    return face
  }

  /// What a member is called.
  func label(_ member: Int) -> Unmanaged<OutputLabel> { uncountedLabels[member] }

  func index(of name: String) -> Int? {
    uncountedLabels.firstIndex { $0._withUnsafeGuaranteedRef { $0.name.isName(name) } }
  }
}
