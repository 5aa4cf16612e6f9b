// SPDX-License-Identifier: MIT
package import ViewModels

/// A store that outlives the process, and that an operator looks after.
package protocol OperatedStore: SessionStore {
  /// The file or the database, as a text for a person. It holds no password.
  var place: String { get }

  /// Opens a store for a look, even if a server has it. Nothing can be claimed or committed then, and nothing
  /// expires.
  ///
  /// - Throws: ``StoreError``, also if there is no store.
  func inspect() throws(StoreError)

  /// Creates the store, or brings it and the app's own tables to the present format. It is closed before and after.
  func migrate(as holder: String, _ steps: [Migration]) throws(StoreError)

  /// The server that has the store for itself now; `nil` if there is none, or if several may have it.
  func holder() -> String?

  /// The bytes that the store takes.
  func size() throws(StoreError) -> Int

  /// Everything that is wrong with the store. It reads all of the store, and changes nothing.
  ///
  /// - Parameter progress: called now and then with the number of sessions that have been looked at.
  func check(progress: (Int) -> Void) throws(StoreError) -> [String]

  /// Reads sessions as they are stored, in the order of their ids, beginning after `id`. Changes nothing.
  func read(after id: String?, limit: Int) throws(StoreError) -> [ReadSession]

  /// Advice to a person whose store is damaged.
  var adviceOnDamage: String { get }

  /// Gives back the space of forgotten sessions.
  func compact() throws(StoreError)
}

extension OperatedStore {
  /// The same check, without its progress.
  package func check() throws(StoreError) -> [String] { try check { _ in } }
}
