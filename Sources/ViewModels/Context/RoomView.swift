// SPDX-License-Identifier: MIT

/// The part of a room's state that a user is shown: what is for everybody, and what is for the audiences that the user
/// belongs to.
package final class RoomView: Sendable {
  /// A text of up to seven letters and digits that is another one for each set of audiences of the surface. Users with the
  /// same text are shown the same.
  package let name: String
  /// The audiences of the surface that the user belongs to; `nil` for all that there may be.
  private let own: [Audience]?

  /// The view of an operator, who sees everything.
  package static let whole = RoomView()

  private init() { (name, own) = ("", nil) }

  init(of user: User?, audiences: [Audience]) {
    var bits: UInt32 = 0
    for (index, audience) in audiences.enumerated() where audience.contains(user) { bits |= 1 << index }
    name = bits == 0 ? "" : String(bits, radix: 36)
    own = audiences.indices.filter { bits & 1 << $0 != 0 }.map { audiences[$0] }
  }

  /// Whether the user is shown what is for an audience. It is shown to nobody if the surface does not have the audience.
  func shows(_ audience: Audience) -> Bool { own?.contains(audience) ?? true }

  /// The most audiences that the surface of a room may have.
  static let mostAudiences = 32
}
