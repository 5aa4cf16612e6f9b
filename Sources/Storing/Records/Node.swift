// SPDX-License-Identifier: MIT

/// One of several servers that share a store of sessions.
package struct Node: Sendable, Hashable {
  /// The number of its opening of the store.
  package let boot: UInt64
  /// The address at which other nodes reach it: a URL without a path, such as `http://10.0.0.7:8080`.
  package let url: String
  /// A secret that is in the store. A request with it comes from another node, never from a client.
  package let token: String

  package init(boot: UInt64, url: String, token: String) {
    self.boot = boot
    self.url = url
    self.token = token
  }
}

/// The place of a session that another node has.
package struct Whereabouts: Sendable, Hashable {
  package let node: Node
  /// The claim by which the node has the session.
  package let claim: SessionClaim

  package init(node: Node, claim: SessionClaim) {
    self.node = node
    self.claim = claim
  }
}
