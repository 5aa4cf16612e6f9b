// SPDX-License-Identifier: MIT
import Locking

/// How many polls may wait, and which ones do, by credential (§5): many windows degrade to interval polling instead of
/// freezing a browser, which opens six connections to a host.
final class PollLimits: Sendable {
  let perCredential: Int
  /// A session has one credential, so this binds only where it is the lower of the two.
  let perSession: Int
  /// Seconds after which a poll that had to make room comes back.
  let retryAfter = 2

  struct Entry: Sendable {
    let waiter: Waiter.ID
    let session: Session
  }

  /// Oldest first.
  private let waiting = Locked<[Credential: [Entry]]>([:])

  init(perCredential: Int, perSession: Int) {
    self.perCredential = perCredential
    self.perSession = perSession
  }

  /// Counts a poll that starts to wait.
  ///
  /// - Returns: the one that has to go for it.
  func admit(_ waiter: Waiter.ID, of credential: Credential, in session: Session) -> Entry? {
    waiting.withLock { waiting in
      waiting[credential, default: []].append(Entry(waiter: waiter, session: session))
      guard let entries = waiting[credential], entries.count > perCredential else { return nil }
      return waiting[credential]?.removeFirst()
    }
  }

  /// Forgets a poll whose wait is over.
  func leave(_ waiter: Waiter.ID, of credential: Credential) {
    waiting.withLock { waiting in
      waiting[credential]?.removeAll { $0.waiter == waiter }
      if waiting[credential]?.isEmpty == true { waiting[credential] = nil }
    }
  }
}
