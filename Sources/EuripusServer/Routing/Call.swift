// SPDX-License-Identifier: MIT
import HTTPListening

/// A request that was let in, as its route's handler gets it. It is valid as long as the request.
struct Call {
  let request: HTTPRequest
  let target: RequestTarget
  /// The open parts of the path.
  let path: PathTemplate.Match
  var caller: Caller
}
