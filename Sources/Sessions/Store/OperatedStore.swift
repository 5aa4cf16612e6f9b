// SPDX-License-Identifier: MIT

/// A store that outlives the process, as an operator looks after it.
package protocol OperatedStore: SessionStore {
  /// The file, or the database, for a person; without a password.
  var place: String { get }

  /// Opens a store that a server may have, to look at it: nothing can be claimed or committed, and nothing expires.
  ///
  /// - Throws: ``StoreError``; also if there is none.
  func inspect() throws(StoreError)

  /// Makes the store, or brings it to the present format. It is closed before and after.
  func migrate(as holder: String) throws(StoreError)

  /// The server that has the store for itself now; `nil` if none has, or several may.
  func holder() -> String?

  /// The bytes that it takes.
  func size() throws(StoreError) -> Int

  /// Everything that is found to be wrong. Changes nothing, and reads all of it.
  ///
  /// - Parameter progress: told now and then how many sessions were looked at.
  func check(progress: (Int) -> Void) throws(StoreError) -> [String]

  /// Reads sessions as they are stored, in the order of the ids, those after `id` first. Changes nothing.
  func read(after id: String?, limit: Int) throws(StoreError) -> [ReadSession]

  /// Advice to a person whose store is damaged.
  var adviceOnDamage: String { get }

  /// Gives back the space of forgotten sessions.
  func compact() throws(StoreError)
}

extension OperatedStore {
  /// The same without a word of its progress.
  package func check() throws(StoreError) -> [String] { try check { _ in } }
}
