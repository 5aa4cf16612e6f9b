// SPDX-License-Identifier: MIT
import HTTPListening
import Locking
import Storing

/// The answer to another server that asked for a session which is not here. That server may take the session
/// over.
struct NotHere: Error {
  /// The reason: `released`, or `other` from a server that was not meant.
  var word = "released"

  var response: HTTPResponse {
    var problem = Problem(.storeUnavailable, "this server does not have the session; expected the request once more")
    problem.fields.append(HTTPField(NodeField.token, word))
    return problem.response
  }
}

/// The addresses from which other servers of the store have asked. They may have many connections.
final class NodeAddresses: Sendable {
  private static let most = 256
  private let addresses = Locked<Set<String>>([])

  func note(_ address: String) {
    addresses.withLock { if $0.count < Self.most { $0.insert(address) } }
  }

  func has(_ address: String) -> Bool { addresses.withLock { $0.contains(address) } }
}
