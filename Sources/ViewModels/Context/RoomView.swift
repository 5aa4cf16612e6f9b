// SPDX-License-Identifier: MIT

/// The part of a room's state that a user is shown: what is for everybody, and what is for the audiences that the user
/// belongs to.
package final class RoomView: Sendable {
  /// A text of up to seven letters and digits that is another one for each set of audiences of the surface. Users with the
  /// same text are shown the same.
  package let name: String
  private let user: User?
  private let isWhole: Bool

  /// The view of an operator, who sees everything.
  package static let whole = RoomView()

  private init() { (name, user, isWhole) = ("", nil, true) }

  init(of user: User?, audiences: [Audience]) {
    (self.user, isWhole) = (user, false)
    var bits: UInt32 = 0
    for (index, audience) in audiences.enumerated() where audience.contains(user) { bits |= 1 << index }
    name = bits == 0 ? "" : String(bits, radix: 36)
  }

  /// Whether the user is shown what is for an audience.
  func shows(_ audience: Audience) -> Bool { isWhole || audience.contains(user) }

  /// The most audiences that the surface of a room may have.
  static let mostAudiences = 32
}
