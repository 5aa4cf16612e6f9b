// SPDX-License-Identifier: MIT
package import Locking
package import Storing

/// A store that can be out of reach, and in which another node takes sessions.
package final class SharedShelf: SharedSessionStore, BackedStore {
  package struct State {
    package var beats = 0
    package var isAway = false
    package var takenIDs: Set<String> = []
    package var asked: [[String]] = []
    package var notices: [NodeNotice] = []
    /// The place that claims are told; `nil` where they are made.
    package var place: Whereabouts?
    package var claims = 0
    package var gone: [UInt64] = []
    package var askedEnds: [String: Closing] = [:]
    /// The looks for the sake of notices, each with the number of things that it asked about.
    package var looks: [String] = []
    package var refusesLooks = false
  }

  package let state = Locked(State())
  package let memory: MemorySessions
  /// A closure that runs on the way of a sign.
  package let whileBeating = Locked<@Sendable () -> Void>({})
  /// A closure that runs between a claim and its answer.
  package let whileClaiming = Locked<@Sendable () -> Void>({})

  package init(_ memory: MemorySessions = MemorySessions()) { self.memory = memory }

  package func hosts(_ schemas: [String: UInt32]) {}
  package var isShared: Bool { true }
  package var token: String? { "token" }
  package func gone(_ now: ContinuousClock.Instant) -> [UInt64] { state.withLock { $0.gone } }
  package func askToEnd(_ id: String, as closing: Closing) {
    state.withLock { $0.askedEnds[id] = closing }
    tell(.end(id))
  }
  package func tell(_ topic: String) throws(StoreError) {}
  package func lock(_ name: String) throws(StoreError) -> (any StoreLock)? { nil }
  package func askedEnds(among ids: [String]) throws(StoreError) -> [String: Closing] {
    try look("ends \(ids.count)")
    return state.withLock { $0.askedEnds.filter { ids.contains($0.key) } }
  }
  package func keep(_ ids: [String], insteadOf closing: Closing) throws(StoreError) {
    try look("staying \(ids.count)")
    state.withLock { state in
      for id in ids where state.askedEnds[id] == closing { state.askedEnds[id] = nil }
    }
  }
  package func clients(with credentials: [Credential]) throws(StoreError) -> [ClientRecord] {
    try look("clients \(credentials.count)")
    return try memory.clients(with: credentials)
  }
  package func ended(among credentials: [Credential]) throws(StoreError) -> [Credential] {
    try look("ended \(credentials.count)")
    return try memory.ended(among: credentials)
  }
  private func look(_ look: String) throws(StoreError) {
    let isRefused = state.withLock { state in
      state.looks.append(look)
      return state.refusesLooks
    }
    if isRefused { throw StoreError(.unavailable, "it is told to refuse") }
  }
  /// Has the next sign bring a notice, as any role of the database can.
  package func tell(_ notice: NodeNotice) { state.withLock { $0.notices.append(notice) } }

  package func beat(
    _ now: ContinuousClock.Instant, lookingFor sessions: (Bool) -> [String]?
  ) throws(StoreError) -> NodeSign {
    let ids = sessions(false)
    whileBeating.withLock { $0 }()
    let sign = state.withLock { state -> NodeSign? in
      if state.isAway { return nil }
      state.beats += 1
      defer { state.notices = [] }
      if let ids { state.asked.append(ids) }
      return NodeSign(notices: state.notices, taken: ids?.filter(state.takenIDs.contains))
    }
    guard let sign else { throw StoreError(.unavailable, "it is away") }
    return sign
  }

  package func claim(_ claims: [ClaimOffer], then answer: @escaping @Sendable ([ClaimOutcome]) -> Void) {
    let place = state.withLock { state in
      state.claims += claims.count
      return state.place
    }
    if let place { return answer(claims.map { _ in .elsewhere(place) }) }
    memory.claim(claims) { outcomes in
      let outcomes = outcomes.map { self.withAskedEnd($0) }
      self.whileClaiming.withLock { $0 }()
      answer(outcomes)
    }
  }

  /// The outcome of a claim with an operator's end. The session is to make room for no newer one from here on.
  private func withAskedEnd(_ outcome: ClaimOutcome) -> ClaimOutcome {
    guard case .held(var record, let claim) = outcome else { return outcome }
    let id = record.id
    record.askedEnd = state.withLock { state in
      if state.askedEnds[id] == .superseded { state.askedEnds[id] = nil }
      return state.askedEnds[id]
    }
    return .held(record, claim)
  }
}
