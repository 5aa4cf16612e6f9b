// SPDX-License-Identifier: MIT
import Locking

/// The readers that wait, by credential, and the limit of their number (PROTOCOL §5): many windows degrade to interval
/// polling instead of freezing a browser, which opens six connections to a host.
final class PollLimits: Sendable {
  let perCredential: Int
  /// A session has one credential, so this binds only where it is the lower of the two.
  let perSession: Int
  /// Seconds after which a reader that had to make room comes back.
  let retryAfter = 2

  /// A reader, and where it waits.
  struct Place: Sendable {
    let waiter: Waiter
    let session: Session
  }

  private struct State {
    /// Oldest first.
    var waiting: [Credential: [Place]] = [:]
    var count = 0
    /// How many had to go for newer ones.
    var displaced = 0
  }

  private let state = Locked(State())

  init(perCredential: Int, perSession: Int) {
    self.perCredential = perCredential
    self.perSession = perSession
  }

  var count: Int { state.withLock { $0.count } }
  var displaced: Int { state.withLock { $0.displaced } }

  /// The sessions of a client in which a reader waits, by their ids.
  func sessions(of credential: Credential) -> Set<String> {
    state.withLock { Set($0.waiting[credential, default: []].map(\.session.id)) }
  }

  /// The readers that wait, and where.
  func places() -> [Place] { state.withLock { $0.waiting.values.flatMap(\.self) } }

  /// Takes note of a reader that had to go for a newer one.
  func noteDisplaced() { state.withLock { $0.displaced += 1 } }

  /// Counts a reader that starts to wait.
  ///
  /// - Returns: The one that has to go for it.
  func admit(_ waiter: Waiter, of credential: Credential, in session: Session) -> Place? {
    state.withLock { state in
      state.waiting[credential, default: []].append(Place(waiter: waiter, session: session))
      if state.waiting[credential, default: []].count > perCredential {
        return state.waiting[credential]?.removeFirst()
      }
      state.count += 1
      return nil
    }
  }

  /// Forgets a reader whose wait is over.
  func leave(_ waiter: Waiter, of credential: Credential) {
    state.withLock { state in
      guard let index = state.waiting[credential]?.firstIndex(where: { $0.waiter === waiter }) else { return }
      state.count -= 1
      state.waiting[credential]?.remove(at: index)
      if state.waiting[credential]?.isEmpty == true { state.waiting[credential] = nil }
    }
  }
}
