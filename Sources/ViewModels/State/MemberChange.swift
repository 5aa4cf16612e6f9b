// SPDX-License-Identifier: MIT

/// The last change of one member of an object.
struct MemberChange {
  /// The revision that last changed it.
  var changedAt: UInt64 = 0
  /// The bytes of its name, its value and a comma as of the last stamp; 0 while it is absent.
  var length = 0
  /// Whether it has begun to change since the last stamp.
  var hasBegun = false
  /// The JSON of a value that an action has changed, from when it was measured until it is written into a frame; empty for
  /// one that is absent.
  var text: [UInt8]?
}

/// The changes of a secret, beside when it last changed.
struct SecretChange {
  let member: Int
  /// Whether the state had it at the last stamp.
  var wasPresent: Bool
  /// The revision that changed it before the one which last did.
  var changedBefore: UInt64 = 0
}
