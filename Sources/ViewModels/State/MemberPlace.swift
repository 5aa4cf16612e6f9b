// SPDX-License-Identifier: MIT
import ObservableCore

/// What a member of an object is. It is kept alive by the list that it is in, and not counted again by who takes it out of that.
enum MemberPlace {
  case value(Unmanaged<Node>)
  case part(Unmanaged<StatePart>)

  /// To be ended by ``release()``.
  init(_ content: ObjectPart.Content) {
    switch content {
    case .value(let node): self = .value(.passRetained(node))
    case .part(let part): self = .part(.passRetained(part))
    }
  }

  func release() {
    switch self {
    case .value(let node): node.release()
    case .part(let part): part.release()
    }
  }
}

/// What is known of one member of an object.
struct MemberChange {
  /// The revision that last changed it.
  var changedAt: UInt64 = 0
  /// The bytes of its name, its value and a comma as of the last stamp; 0 while it is absent.
  var length: Int32 = 0
  /// The same after a stamp now, where it is known; `unmeasured` while it is not, `settled` while nothing has begun.
  var next: Int32 = Self.settled

  static let settled: Int32 = -2
  static let unmeasured: Int32 = -1
}

/// What is known of a secret beside when it changed.
struct SecretChange {
  let member: Int
  /// Whether the state had it at the last stamp.
  var wasPresent: Bool
  /// The revision that changed it before the one which last did.
  var changedBefore: UInt64 = 0
}
