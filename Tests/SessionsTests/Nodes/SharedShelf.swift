// SPDX-License-Identifier: MIT
import Locking

@testable import Sessions

/// A store that can be out of reach, and in which another node takes sessions.
final class SharedShelf: SharedSessionStore, BackedStore {
  struct State {
    var beats = 0
    var isAway = false
    var takenIDs: Set<String> = []
    var asked: [[String]] = []
    var notices: [NodeNotice] = []
  }

  let state = Locked(State())
  let memory: MemorySessions
  /// A closure that runs between a claim and its answer.
  let whileClaiming = Locked<@Sendable () -> Void>({})

  init(_ memory: MemorySessions = MemorySessions()) { self.memory = memory }

  func hosts(_ schemas: [String: UInt32]) {}
  var isShared: Bool { true }
  var token: String? { "token" }
  func gone(_ now: ContinuousClock.Instant) -> [UInt64] { [] }
  func tell(_ notice: NodeNotice) { state.withLock { $0.notices.append(notice) } }

  func beat(_ now: ContinuousClock.Instant) throws(StoreError) -> [NodeNotice] {
    let notices = state.withLock { state -> [NodeNotice]? in
      if state.isAway { return nil }
      state.beats += 1
      defer { state.notices = [] }
      return state.notices
    }
    guard let notices else { throw StoreError(.unavailable, "it is away") }
    return notices
  }

  func taken(of ids: [String]) throws(StoreError) -> [String] {
    state.withLock { state in
      state.asked.append(ids)
      return ids.filter(state.takenIDs.contains)
    }
  }

  func claim(_ claims: [ClaimOffer], then answer: @escaping @Sendable ([ClaimOutcome]) -> Void) {
    memory.claim(claims) { outcomes in
      self.whileClaiming.withLock { $0 }()
      answer(outcomes)
    }
  }
}
