// SPDX-License-Identifier: MIT
package import JSONPatching
package import Storing
import ViewModels

/// The reason why a session, or the host of all sessions, refused a request. Nothing was changed.
package enum SessionError: Error, CustomStringConvertible {
  case noSuchModel(String, expected: [String])
  /// An earlier server process died while it made the session again.
  case poisoned
  case closed
  /// A newer session of the same client took its place.
  case superseded
  /// An operator ended the session.
  case ended
  /// The session was idle for too long, and is gone.
  case expired
  /// The client's user was signed out, and its sessions have ended.
  case signedOut
  /// Only users may open the view model.
  case signInNeeded(model: String)
  /// The user may not enter the room.
  case notAdmitted(model: String)
  /// The invitation does not let this client in.
  case noInvitation
  /// The credential is an earlier one, which the client had before it signed in or out.
  case credentialReplaced
  case versionMoved(Version)
  /// Values that a request sets were changed since the versions that it names.
  case valuesChanged([ValueConflict], at: Version)
  case tooManySessions(limit: Int)
  /// The client has opened too many sessions within a short time.
  case tooManyOpenings(retryAfter: Duration)
  /// The session's state was changed too often within a short time.
  case tooManyActions(retryAfter: Duration)
  /// The client has acted too often in rooms within a short time.
  case tooManyActionsInRooms(retryAfter: Duration)
  /// The actions of the session's client have taken too much time of late.
  case tooMuchTime(retryAfter: Duration)
  case tooManySessionsOfClient(limit: Int)
  /// As many readers wait in the room as may.
  case tooManyReaders(limit: Int)
  /// All sessions together take as much memory as they may.
  case tooMuchMemory
  case tooMuchMemoryOfClient(limit: Int)
  /// All stored sessions together take as many bytes as they may.
  case tooMuchStored
  /// Earlier requests of the key's name have not come.
  case outOfOrder(expected: UInt64)
  /// Another request has used the key.
  case keyReused
  case tooManyKeyNames(limit: Int, retryAfter: Duration)
  /// The session has left memory, and nothing was done. The host has to find it again.
  case left
  /// Another transaction of the database came first, and nothing was applied.
  case conflict
  /// The store has no room for the change.
  case storeFull(String)
  /// The store cannot be used now, or not for this session.
  case storeUnavailable(String)

  /// The same error for a request that only reads: nothing of it was refused, so it is handled anew.
  var ofReading: SessionError { if case .conflict = self { .left } else { self } }

  package var description: String {
    switch self {
    case .noSuchModel(let name, let expected):
      "no view model '\(name)'; expected one of: \(expected.joined(separator: ", "))"
    case .poisoned: "\(Poisoned())"
    case .closed: "the session was closed"
    case .superseded:
      "the session ended for a newer one, as its client had as many as it may; expected the client to open another"
    case .ended: "an operator ended the session; expected the client to open another"
    case .expired: "the session was idle for too long"
    case .signedOut: "this client was signed out"
    case .signInNeeded(let model): "nobody has signed in; '\(model)' is for users alone"
    case .notAdmitted(let model): "the user may not enter this room of '\(model)'"
    case .noInvitation: "the invitation was used, has expired or was withdrawn, or it is for another room"
    case .credentialReplaced: "the credential was replaced by another one a moment ago"
    // The answer to a request with a key is kept, and may be told beside later versions. So it names no
    // version.
    case .versionMoved: "the state is not at the version that the request is for; ETag has the one that it is at"
    case .valuesChanged(let conflicts, _): conflicts.map(\.description).joined(separator: "; ")
    case .tooManyActions(let wait): "the session takes no more actions now; expected them \(wait.secondsToWait) s later"
    case .tooManyActionsInRooms(let wait):
      "this client has acted too often in rooms of late; expected its next action \(wait.secondsToWait) s later"
    case .tooMuchTime(let wait):
      "the actions of this client took too long of late; expected the next one \(wait.secondsToWait) s later"
    case .tooManyOpenings(let wait):
      """
      this client has opened too many sessions of late; expected the next one \(wait.secondsToWait) s later, or one of those \
      that it has
      """
    case .tooManySessions(let limit):
      "\(limit) sessions are open on this server, which is its limit; expected the request again, a minute later"
    case .tooManySessionsOfClient(let limit):
      """
      this client has \(limit) sessions, which is the limit, and a reader waits in each that could end for this one; expected \
      it to close one first
      """
    case .tooManyReaders(let limit):
      "\(limit) polls and streams wait in this room, which is its limit; expected the request again, some seconds later"
    case .tooMuchMemory:
      "the sessions of this server take all the memory that they may; expected the request again, some seconds later"
    case .tooMuchMemoryOfClient(let limit):
      "the sessions of this client take more than \(limit) bytes, which is the limit; expected it to close one first"
    case .tooMuchStored:
      "the stored sessions of this server take all the room that they may; expected the request again, a minute later"
    case .outOfOrder(let expected): "the next number of this key's name is \(expected)"
    case .keyReused: "the key came with another method, path or body before"
    case .tooManyKeyNames(let limit, _):
      "the session knows \(limit) names of keys, all used of late; expected one of these"
    case .left: "the session has just left the server's memory; expected the request once more"
    case .conflict:
      "another transaction of the database came first, so nothing was applied; expected the request once more"
    case .storeFull(let reason), .storeUnavailable(let reason): reason
    }
  }
}

/// A value that was changed before a request came that was to set it, and that names an earlier version.
package struct ValueConflict: Sendable, CustomStringConvertible {
  /// The place of the change in its request.
  package let index: Int
  /// The path of the value.
  package let name: String
  /// The value as it is; `nil` if the request's sender cannot read it.
  package let present: JSON?

  package var description: String { "'\(name)' was changed since the version that the request names" }
}

extension Closing {
  /// The error of every request to the session from then on.
  package var error: SessionError {
    switch self {
    case .byClient: .closed
    case .superseded: .superseded
    case .ended: .ended
    }
  }
}
