// SPDX-License-Identifier: MIT
import Dispatch
import Locking

/// A node's signs of life, on a thread of their own: a store that is slow to commit must not make it seem gone.
final class Presence: Sendable {
  /// The pause between two signs.
  private static let pause: Duration = .milliseconds(400)
  /// Sessions that are asked about at a time.
  private static let most = 1_000

  let lease = Lease()
  private let store: any SharedSessionStore
  private let now: @Sendable () -> ContinuousClock.Instant
  private let queue = DispatchQueue(label: "euripus.presence")

  private struct State {
    var isAtWork = false
    var next: ContinuousClock.Instant?
    /// Whether the lease held at the last look.
    var held = false
    var hasEnded = false
    /// The opening of the store at the last sign.
    var boot: UInt64?
    /// How often it has looked which sessions others have taken.
    var looks = 0
  }

  private let state = Locked(State())

  init(_ store: any SharedSessionStore, now: @escaping @Sendable () -> ContinuousClock.Instant) {
    self.store = store
    self.now = now
  }

  /// Whether a token is the one by which other nodes know this one.
  func isToken(_ text: String) -> Bool {
    guard let token = store.token else { return false }
    return Credential(hashing: token) == Credential(hashing: text)
  }

  /// How often this node has looked which sessions others have taken. One that was claimed before a look, and was not in memory at
  /// it, may be another's.
  var looks: Int { state.withLock { $0.looks } }

  var gone: [UInt64] { store.gone(now()) }

  /// Gives a sign if it is time. To be called every tenth of a second.
  ///
  /// - Parameters:
  ///   - inMemory: the sessions that are in memory.
  ///   - drop: has those dropped that others have taken.
  ///   - heard: takes the notices of other nodes.
  ///   - worked: told when one was given.
  ///   - failed: told why a sign could not be given.
  ///   - lapsed: told once when the lease has run out.
  func tend(
    inMemory: @escaping @Sendable () -> [String], drop: @escaping @Sendable ([String]) -> Void,
    heard: @escaping @Sendable (NodeNotice) -> Void, worked: @escaping @Sendable () -> Void,
    failed: @escaping @Sendable (StoreError) -> Void, lapsed: @Sendable () -> Void
  ) {
    let instant = now()
    let holds = lease.holds(instant)
    let (isDue, hasLapsed) = state.withLock { state in
      defer { state.held = holds }
      let hasLapsed = state.held && !holds
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
    inMemory: () -> [String], drop: ([String]) -> Void, heard: (NodeNotice) -> Void, worked: () -> Void,
    failed: (StoreError) -> Void
  ) {
    defer { state.withLock { $0.isAtWork = false } }
    let began = now()
    do throws(StoreError) {
      let notices = try store.beat(began)
      for notice in notices { heard(notice) }
      let isSame = state.withLock { state in
        defer { state.boot = store.boot }
        return state.boot == store.boot
      }
      if !isSame || notices.contains(.missed) || !lease.holds(now()) {
        // Others that saw no sign may have taken sessions that are in memory here; from the sign on they take no more. What they
        // said of that may be among the notices that were missed.
        state.withLock { $0.looks += 1 }
        let ids = inMemory()
        for start in stride(from: 0, to: ids.count, by: Self.most) {
          let taken = try store.taken(of: Array(ids[start..<min(start + Self.most, ids.count)]))
          if !taken.isEmpty { drop(taken) }
        }
      }
      if !state.withLock({ $0.hasEnded }) { lease.renew(until: began + Lease.time) }
      worked()
    } catch {
      failed(error)
    }
  }

  /// Comes back when a sign that is under way was given.
  func settle() { queue.sync {} }

  /// Gives no sign any more.
  func end() {
    state.withLock { $0.hasEnded = true }
    lease.end()
  }
}
