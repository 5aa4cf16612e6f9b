// SPDX-License-Identifier: MIT

/// A transaction's wish that the session ends.
package struct EndWish: Equatable {
  /// The run of the command that comes to its end before; `nil` for none.
  package let run: UInt64?
}

/// A transaction's wish to sign users in or out.
package struct IdentityWish: Equatable {
  /// The user of the client from now on.
  package enum NextUser: Equatable {
    case signedIn(User)
    case nobody

    package var user: User? { if case .signedIn(let user) = self { user } else { nil } }
  }

  /// `nil` where the client keeps its user.
  package let next: NextUser?
  /// The ids of the users whose other clients are to be signed out.
  package let signedOut: Set<String>
  /// The request whose answer brings the new credential; `nil` if there is none.
  package let request: AnyObject?

  package static func == (left: IdentityWish, right: IdentityWish) -> Bool {
    left.next == right.next && left.signedOut == right.signedOut && left.request === right.request
  }
}

/// A signing in or out that no client would learn of: the new credential comes with the answer to a request,
/// and none waits.
public struct SigningInNeedsRequest: Error, CustomStringConvertible {
  public var description: String {
    "a user was signed in where no request waits for its answer, which would bring the new credential; expected an action, "
      + "or a command whose request waits for its end: write 'awaitsCommands: true' where the view model is hosted"
  }
}

/// An attempt to sign another user in, in a session that is a user's own.
public struct SessionOfAnotherUser: Error, CustomStringConvertible {
  public var description: String {
    "another user was signed in, in a session of a user's own; expected the same one: sign in on a view model that is "
      + "hosted without 'scope: .user'"
  }
}

/// An attempt to sign a user in or out, in a room: nobody's cookie is the room's.
public struct SigningInInRoom: Error, CustomStringConvertible {
  public var description: String {
    "a user was signed in or out in a room, which has no user of its own; expected that in a view model that is hosted "
      + "without 'scope: .room', on the same page"
  }
}
