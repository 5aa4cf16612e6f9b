// SPDX-License-Identifier: MIT
import HTTPListening
import Locking

/// The fields by which servers of one store talk to each other.
enum NodeField {
  /// The field by which one server recognises another. It holds the secret of the server that is asked.
  static let token: StaticString = "Euripus-Node"
  /// The field that says that the sending server has checked the proxy's statement about the user.
  static let user: StaticString = "Euripus-User"
  /// The field that names the user of a session of the sending server, which follows a room here.
  static let reader: StaticString = "Euripus-Reader"
  /// The field that says where in the file a client's body begins whose end the sending server passes on.
  static let bodyStart: StaticString = "Euripus-Body-Start"
}

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
