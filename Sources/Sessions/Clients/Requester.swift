// SPDX-License-Identifier: MIT
package import Storing

/// The client that sends a request, and the form of its keys.
package struct Requester: Sendable {
  /// The credential that the client came with first, by which it is known for as long as it lives.
  package let client: Credential
  /// The text that a new key of the client begins with.
  let keyStart: String
  /// The client as the request has found it; `nil` if the request did not look.
  let found: FoundClient?
  /// The network that the request comes from, for view models that ask for it.
  let network: ClientNetwork

  package init(_ client: Credential, keyStart: String = "") {
    (self.client, found, self.keyStart, network) = (client, nil, keyStart, .unknown)
  }

  package init(_ found: FoundClient, keyStart: String = "", from network: ClientNetwork = .unknown) {
    (client, self.found, self.keyStart, self.network) = (found.owner, found, keyStart, network)
  }

  /// Whether the credential and the user are still the client's with which the request came.
  var isPresent: Bool { found?.isPresent ?? true }
}
