// SPDX-License-Identifier: MIT
import HTTPListening

/// A request that was let in, as its route's handler gets it. It is valid as long as the request.
struct Call {
  let request: HTTPRequest
  let target: RequestTarget
  /// The open parts of the path.
  let path: PathTemplate.Match
  let identity: ClientIdentity
  /// The user that a trusted proxy names.
  let namedUser: RequestUser
  /// Whether another server of the same store has sent it, for one of its own clients.
  let isPassedOn: Bool
}
