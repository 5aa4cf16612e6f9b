// SPDX-License-Identifier: MIT

/// A stored session, as an operator's trial reads it.
package struct ReadSession: Sendable {
  package let id: String
  /// The session, or the reason why the record does not give one.
  package let session: Result<StoredSession, StoreError>

  package init(id: String, session: Result<StoredSession, StoreError>) {
    (self.id, self.session) = (id, session)
  }
}
