// SPDX-License-Identifier: MIT
import Locking
import Synchronization

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

  /// How many wait, and how many had to go for newer ones.
  private let waitingCount = Atomic<Int>(0)
  private let displacedCount = Atomic<Int>(0)

  /// Oldest first.
  private let waiting = Locked<[Credential: [Entry]]>([:])

  init(perCredential: Int, perSession: Int) {
    self.perCredential = perCredential
    self.perSession = perSession
  }

  var count: Int { waitingCount.load(ordering: .relaxed) }
  var displaced: Int { displacedCount.load(ordering: .relaxed) }

  /// Takes note of one that had to go for a newer one.
  func noteDisplaced() { displacedCount.wrappingAdd(1, ordering: .relaxed) }

  /// Counts a poll that starts to wait.
  ///
  /// - Returns: the one that has to go for it.
  func admit(_ waiter: Waiter.ID, of credential: Credential, in session: Session) -> Entry? {
    waiting.withLock { waiting in
      takeIn(Entry(waiter: waiter, session: session), &waiting[credential, default: []])
    }
  }

  private func takeIn(_ entry: Entry, _ entries: inout [Entry]) -> Entry? {
    entries.append(entry)
    if entries.count > perCredential { return entries.removeFirst() }
    waitingCount.wrappingAdd(1, ordering: .relaxed)
    return nil
  }

  /// Forgets a poll whose wait is over.
  func leave(_ waiter: Waiter.ID, of credential: Credential) {
    waiting.withLock { waiting in
      // Looked for once: comparing credentials takes longer than all else here.
      guard let place = waiting.index(forKey: credential),
        let index = waiting.values[place].firstIndex(where: { $0.waiter == waiter })
      else { return }
      waitingCount.wrappingSubtract(1, ordering: .relaxed)
      waiting.values[place].remove(at: index)
      if waiting.values[place].isEmpty { waiting.remove(at: place) }
    }
  }
}
