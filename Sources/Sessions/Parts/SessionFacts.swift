// SPDX-License-Identifier: MIT
import JSONPatching
import Storing
import ViewModels

/// The facts about a session in memory that are known from its beginning on, and never change.
struct SessionFacts: Sendable {
  let id: String
  let modelName: String
  /// The owner: the credential that its client came with, or the one for a user's own sessions or for a room.
  let owner: Credential
  /// The request that opened the session, if it has a key.
  let opening: KeyedRequest?
  /// The first half of its versions.
  let epoch: String
  /// The network that the session was opened from.
  var network: ClientNetwork = .unknown
  /// The id of the user who opened the session, which ends when that user goes. `nil` if nobody had signed in,
  /// and for a user's own session and a room.
  var openedBy: String?
  /// The parameters that it was opened with; `nil` for none.
  var params: JSON?
  /// Says who may enter the room; `nil` for a session that is no room.
  var roomRule: RoomRule?
  /// Whether the view model may ask for the user.
  let hasContext: Bool
  /// Whether each answer waits for the commands that its request starts.
  var awaitsCommands = false
}
