// SPDX-License-Identifier: MIT
import Storing
import ViewModels

extension SessionHost {
  /// Drops the files of uploads that nobody has taken in a time since their last byte. The view models in memory are told;
  /// others find it out when they look for their files.
  package func expireUploads(after time: Duration) {
    for file in spool.expire(after: time) { table.inMemory(file.session)?.submit { $0.expire(file) } }
  }

  /// Drops the files that no session offers any more: of sessions that have ended in the store alone, and of changes that were
  /// not stored, or not finished before the server's death. It looks at the disk before it returns. O(files).
  @discardableResult package func dropUnoffered() -> Task<Void, Never> {
    // An hour, since a file that is offered at this moment may not be stored yet.
    let offers = spool.offers(olderThan: .seconds(3_600))
    return Task(executorPreference: executor) { [self] in
      for (session, files) in offers { await dropUnoffered(files, of: session) }
    }
  }

  private func dropUnoffered(_ files: [SpooledFile], of session: String) async {
    if let living = table.inMemory(session) {
      spool.renew(session)
      return living.submit { $0.dropUnoffered(files) }
    }
    guard let keeper else { return remove(files, butFor: [], of: session, isThere: false) }
    do {
      let (isThere, keys) = try await keeper.ask { store throws(StoreError) in
        guard try store.row(of: session) != nil else { return (false, Set<String>?([])) }
        switch try store.read(session) {
        case .living(let record)?: return (true, record.offeredKeys)
        case .closed?: return (true, [])
        case nil: return (true, nil)
        }
      }
      // One that cannot be read keeps its files.
      if let keys { remove(files, butFor: keys, of: session, isThere: isThere) }
    } catch {
      // The store cannot be asked now. It is asked again in an hour.
    }
  }

  private func remove(_ files: [SpooledFile], butFor keys: Set<String>, of session: String, isThere: Bool) {
    if isThere {
      spool.renew(session)
    } else if !spool.isLost(session, for: .seconds(86_400)) {
      // Another server may have it in memory, or an operator may put it back.
      return
    }
    for file in files where !keys.contains(file.offerKey ?? "") { spool.remove(file) }
  }
}

extension SessionStore {
  /// The row of a session, also of one that cannot be read; `nil` if there is none.
  func row(of id: String) throws(StoreError) -> StoredSummary? {
    // The last character holds two bits of the id, so at most four ids share the characters before it.
    try list(after: String(id.dropLast()), limit: 4).first { $0.id == id }
  }
}
