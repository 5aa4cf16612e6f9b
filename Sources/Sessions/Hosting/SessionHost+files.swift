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
  /// not stored, or not finished before the server's death.
  @discardableResult package func dropUnoffered() -> Task<Void, Never> {
    Task(executorPreference: executor) { [self] in
      // An hour, since a file that is offered at this moment may not be stored yet.
      for (session, files) in spool.offers(olderThan: .seconds(3_600)) { await dropUnoffered(files, of: session) }
    }
  }

  private func dropUnoffered(_ files: [SpooledFile], of session: String) async {
    if let living = table.inMemory(session) {
      spool.renew(session)
      return living.submit { $0.dropUnoffered(files) }
    }
    do {
      let stored = try await keeper?.ask { store throws(StoreError) in try store.read(session) }
      var offered = OfferedFiles()
      if case .living(let record)? = stored {
        offered = record.offers
      } else if stored == nil, !spool.isLost(session, for: .seconds(86_400)) {
        // It may be in the memory of another server.
        return
      }
      for file in files where !offered.has(file) { spool.remove(file) }
    } catch {
      // The session cannot be read now. It is looked for again in an hour.
    }
  }
}
