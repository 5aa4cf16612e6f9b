// SPDX-License-Identifier: MIT
import Locking
import Storing

/// The readers that wait, by credential, and the limit of their number. With many windows, readers fall back to
/// polling at intervals. Otherwise a browser would freeze, as it opens six connections to a host (PROTOCOL §5).
final class PollLimits: Sendable {
  let perCredential: Int
  /// The most readers in one session. All of them count for one credential, so this limit matters only where it
  /// is the lower one.
  let perSession: Int
  /// The most readers in one room, however many clients they are of. One more is refused.
  let perRoom: Int
  /// The seconds after which a reader that had to make room comes back.
  let retryAfter = 2

  /// A reader, and the session in which it waits.
  struct Place: Sendable {
    let waiter: Waiter
    let session: Session
  }

  private struct State {
    /// The readers by credential, with the oldest first.
    var waiting: [Credential: [Place]] = [:]
    var count = 0
    /// The number of readers that had to go for newer ones.
    var displaced = 0
  }

  private let state = Locked(State())

  init(perCredential: Int, perSession: Int, perRoom: Int) {
    self.perCredential = perCredential
    self.perSession = perSession
    self.perRoom = perRoom
  }

  var count: Int { state.withLock { $0.count } }
  var displaced: Int { state.withLock { $0.displaced } }

  /// The ids of a client's sessions in which a reader waits.
  func sessions(of credential: Credential) -> Set<String> {
    state.withLock { Set($0.waiting[credential, default: []].map(\.session.id)) }
  }

  /// The rooms in which a client's readers wait.
  func rooms(of credential: Credential) -> [Session] {
    let sessions = state.withLock { $0.waiting[credential, default: []].map(\.session) }.filter(\.isRoom)
    return sessions.reduce(into: []) { rooms, room in if !rooms.contains(where: { $0 === room }) { rooms.append(room) }
    }
  }

  /// All readers that wait, with their sessions.
  func places() -> [Place] { state.withLock { $0.waiting.values.flatMap(\.self) } }

  /// Counts a reader that had to go for a newer one.
  func noteDisplaced() { state.withLock { $0.displaced += 1 } }

  /// Counts a reader that starts to wait.
  ///
  /// - Returns: the reader that has to go for it; `nil` if there is room.
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
