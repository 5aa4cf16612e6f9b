// SPDX-License-Identifier: MIT
import Storing
import ViewModels

extension SessionHost {
  /// Drops the files of uploads that nobody has taken in a time since their last byte. The view models in memory are told;
  /// others find it out when they look for their files.
  package func expireFiles(after time: Duration) {
    for file in spool.expire(after: time) {
      if case .living(let session) = table.find(file.session) { session.submit { $0.expire(file) } }
    }
    for session in spool.sessionsOfOffers(olderThan: Self.offersAsked) { dropOffers(of: session) }
  }

  /// The time after which a session is looked for whose offered files are on the disk. Nobody else finds out that a session
  /// has gone which was in the store alone.
  private static let offersAsked = Duration.seconds(86_400)

  /// Drops the offered files of a session that is gone.
  private func dropOffers(of session: String) {
    if case .living = table.find(session) { return spool.renewOffers(of: session) }
    Task(executorPreference: executor) { [spool, keeper] in
      do {
        let stored = try await keeper?.ask { store throws(StoreError) in try store.read(session) }
        if case .living? = stored { spool.renewOffers(of: session) } else { spool.removeOffers(of: session) }
      } catch {
        // The store is asked again in a minute.
      }
    }
  }
}
