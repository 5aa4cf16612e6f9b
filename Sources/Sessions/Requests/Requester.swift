// SPDX-License-Identifier: MIT
package import Storing

/// The client that sends a request, and the form of its keys.
package struct Requester: Sendable {
  /// The credential that the client came with first, by which it is known for as long as it lives.
  package let client: Credential
  /// The text that a new key of the client begins with.
  let keyStart: String
  /// The session's number of credentials when the request found the session; `nil` if the request did not
  /// look.
  let credentialNumber: UInt32?
  /// The network that the request comes from, for view models that ask for it.
  let network: ClientNetwork

  /// - Parameter credentialNumber: the number that the session had when the client was found.
  package init(
    _ client: Credential, keyStart: String = "", credentialNumber: UInt32? = nil, from network: ClientNetwork = .unknown
  ) {
    (self.client, self.keyStart, self.credentialNumber) = (client, keyStart, credentialNumber)
    self.network = network
  }
}
