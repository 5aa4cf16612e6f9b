// SPDX-License-Identifier: MIT
import Dispatch
import Locking

/// A node's signs of life. They have a thread of their own, because a store that commits slowly must not make
/// the node seem gone.
package final class Presence: Sendable {
  /// The pause between two signs.
  private static let pause: Duration = .milliseconds(400)
  /// The signs in a row that come too late to give a lease, after which this node is silent for long enough that others
  /// take over its sessions. One may be late because the store stood still once.
  private static let mostLate = 2

  package let lease = Lease()
  package let store: any SharedSessionStore
  private let now: @Sendable () -> ContinuousClock.Instant
  private let queue = DispatchQueue(label: "euripus.presence")

  private struct State {
    var isAtWork = false
    var next: ContinuousClock.Instant?
    /// Whether the lease held at the last look.
    var held = false
    var hasEnded = false
    /// The number of the store's opening at the last sign.
    var boot: UInt64?
    var possibleTakeovers = 0
    /// The number of signs in a row whose lease was over when it was granted.
    var late = 0
    /// The sessions that another node is said to have taken, and that the store was not asked about yet.
    var suspected: Set<String> = []
  }

  private let state = Locked(State())

  package init(_ store: any SharedSessionStore, now: @escaping @Sendable () -> ContinuousClock.Instant) {
    self.store = store
    self.now = now
  }

  /// Whether a token is the one by which other nodes know this node.
  package func isToken(_ text: String) -> Bool {
    guard let token = store.token else { return false }
    return Credential(hashing: token) == Credential(hashing: text)
  }

  /// A number that grows when other nodes may have taken sessions: with each look for such sessions. A session that
  /// was claimed before and was not yet in memory may be another node's.
  package var possibleTakeovers: Int { state.withLock { $0.possibleTakeovers } }

  /// Has the store asked, at once, whether another node has taken a session.
  package func suspect(_ id: String) { state.withLock { _ = $0.suspected.insert(id) } }

  package var gone: [UInt64] { store.gone(now()) }

  /// Gives a sign if it is time. To be called every tenth of a second.
  ///
  /// - Parameters:
  ///   - inMemory: gives the ids of the sessions in memory.
  ///   - drop: drops the sessions that other nodes have taken.
  ///   - heard: takes the notices that a sign brings.
  ///   - worked: called when a sign was given.
  ///   - failed: called with the reason why a sign could not be given.
  ///   - lapsed: called once when the lease has run out, and not when it was given up for good.
  package func tend(
    inMemory: @escaping @Sendable () -> [String], drop: @escaping @Sendable ([String]) -> Void,
    heard: @escaping @Sendable ([NodeNotice]) -> Void, worked: @escaping @Sendable () -> Void,
    failed: @escaping @Sendable (StoreError) -> Void, lapsed: @Sendable () -> Void
  ) {
    let instant = now()
    let holds = lease.holds(instant)
    let (isDue, hasLapsed) = state.withLock { state in
      defer { state.held = holds }
      let hasLapsed = state.held && !holds && !lease.hasEnded
      if state.isAtWork || state.hasEnded || state.next.map({ instant < $0 }) ?? false { return (false, hasLapsed) }
      state.isAtWork = true
      state.next = instant + Self.pause
      return (true, hasLapsed)
    }
    if hasLapsed { lapsed() }
    if isDue {
      queue.async { self.beat(inMemory: inMemory, drop: drop, heard: heard, worked: worked, failed: failed) }
    }
  }

  private func beat(
    inMemory: () -> [String], drop: ([String]) -> Void, heard: ([NodeNotice]) -> Void, worked: () -> Void,
    failed: (StoreError) -> Void
  ) {
    defer { state.withLock { $0.isAtWork = false } }
    do throws(StoreError) {
      // A second sign is given at once where the first one has shown that sessions are to be looked for.
      while try !renewed(inMemory, drop, heard) {}
      noteLateness()
      worked()
    } catch {
      failed(error)
    }
  }

  /// Lets other nodes take over if this one cannot answer by its signs, although they see them: its way to the store
  /// may be slow, and theirs quick.
  private func noteLateness() {
    let instant = now()
    let holds = lease.holds(instant)
    state.withLock { state in
      state.late = holds ? 0 : state.late + 1
      if state.late >= Self.mostLate { state.next = instant + NodeWatch.patience }
    }
  }

  /// Gives a sign, and renews the lease by it.
  ///
  /// - Returns: whether that is all. It is not if other nodes may have taken sessions that were not looked for.
  private func renewed(
    _ inMemory: () -> [String], _ drop: ([String]) -> Void, _ heard: ([NodeNotice]) -> Void
  ) throws(StoreError) -> Bool {
    let (began, boot) = (now(), store.boot)
    let isSure = state.withLock { $0.boot == boot } && lease.holds(began)
    let suspected = state.withLock { state in
      defer { state.suspected = [] }
      return state.suspected
    }
    // The sessions that were in memory; `nil` if it is not looked for all of them.
    var all: [String]?
    let sign = try store.beat(began) { mayHaveMissed in
      if isSure && !mayHaveMissed { return suspected.isEmpty ? nil : suspected.sorted() }
      // Other nodes that saw no sign may have taken sessions that are in memory here. After this sign they take no
      // more. Their notices of it may be among those that were missed.
      all = inMemory()
      return all
    }
    if !sign.notices.isEmpty { heard(sign.notices) }
    if let taken = sign.taken {
      if all != nil || !taken.isEmpty { state.withLock { $0.possibleTakeovers += 1 } }
      // The store was not asked about sessions that came into memory meanwhile.
      let known = all.map { Set($0) }
      let dropped = taken + (known.map { known in inMemory().filter { !known.contains($0) } } ?? [])
      if !dropped.isEmpty { drop(dropped) }
    }
    if all == nil, sign.notices.contains(.missed) || !lease.holds(now()) {
      state.withLock { $0.boot = nil }
      return false
    }
    if store.boot != boot { return false }
    state.withLock { $0.boot = boot }
    if !state.withLock({ $0.hasEnded }) { lease.renew(until: began + Lease.time, at: now()) }
    // After a look for suspected ones the next is a sign later: notices must not keep this node busy.
    return !suspected.isEmpty || state.withLock { $0.suspected.isEmpty }
  }

  /// Returns once a sign that is under way has been given.
  func settle() { queue.sync {} }

  /// Stops giving signs, and gives up the lease.
  package func end() {
    state.withLock { $0.hasEnded = true }
    lease.end()
  }
}
