// SPDX-License-Identifier: MIT

/// An invitation that was not made, since as many as may be are there already. An action that throws it is refused with a
/// problem of that limit, and a command shows it.
public struct TooManyInvited: PresentableError, CustomStringConvertible {
  /// The things of which there are as many as may be.
  public enum Things: String, Sendable { case guests, invitations }

  public let things: Things
  public let limit: Int

  public var type: String { "too-many-\(things.rawValue)" }
  public var detail: String {
    switch things {
    case .guests: "the room has \(limit) guests, which is the limit; expected one to be dismissed first"
    case .invitations:
      "\(limit) invitations into the room wait, which is the limit; expected one to be used or withdrawn first"
    }
  }
  public var description: String { detail }
}
