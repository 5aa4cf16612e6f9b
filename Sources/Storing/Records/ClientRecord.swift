// SPDX-License-Identifier: MIT
import JSONPatching
package import ViewModels

/// The record of a client that has signed in, now or earlier. By it the client is recognised with its present
/// credential.
package struct ClientRecord: Sendable, Equatable {
  /// The credential that the client came with. It owns the client's sessions.
  package let owner: Credential
  /// The client's present credential; `nil` for a client that was signed out for good.
  package var credential: Credential?
  package var user: User?
  /// Whether each of its requests has to prove the user.
  package var isByRequests: Bool
  /// The time of the last change, in seconds since 1970.
  package var changed: Int64

  package init(
    owner: Credential, credential: Credential?, user: User?, isByRequests: Bool = false, changed: Int64
  ) {
    self.isByRequests = isByRequests
    (self.owner, self.credential, self.user, self.changed) = (owner, credential, user, changed)
  }
}

extension ClientRecord {
  /// The ``identity`` of a client that was signed out for good.
  package static let identityOfNobody = ClientRecord(
    owner: Credential(hashing: ""), credential: nil, user: nil, changed: 0
  ).identity

  package var userID: String? { user?.id }

  /// The user, and whether requests have to prove it, as JSON text.
  package var identity: [UInt8] {
    JSON.text(
      of: .object([
        .init(name: "user", value: user?.json ?? .null), .init(name: "isByRequests", value: .bool(isByRequests)),
      ]))
  }

  /// Reads the form of ``identity``.
  ///
  /// - Returns: `nil` for a text that is not JSON.
  package init?(owner: Credential, credential: Credential?, identity: [UInt8], changed: Int64) {
    guard let json = try? JSONReader.read(identity) else { return nil }
    self.init(
      owner: owner, credential: credential, user: json["user"].flatMap { User(stored: $0) },
      isByRequests: json["isByRequests"] == true, changed: changed)
  }
}
