// SPDX-License-Identifier: MIT
package import Storing

/// The place of a session that another of the servers that share the store has.
package struct Elsewhere: Sendable, Hashable {
  /// The session's id.
  package let id: String
  /// The client that asks for it, by the credential that it came with.
  package let client: Credential?
  let whereabouts: Whereabouts

  init(_ id: String, _ whereabouts: Whereabouts, for client: Credential?) {
    (self.id, self.whereabouts, self.client) = (id, whereabouts, client)
  }

  /// The number of that server's opening of the store.
  package var boot: UInt64 { whereabouts.node.boot }
  /// The server's URL, without a path.
  package var url: String { whereabouts.node.url }
  /// The secret by which the server recognises other servers.
  package var token: String { whereabouts.node.token }
}
