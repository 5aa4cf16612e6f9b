// SPDX-License-Identifier: MIT
import Storing

/// The notices that the store was not asked about yet. A value, without a clock.
///
/// Anybody who may connect to the database can send any number of notices. So they do not queue: they gather here, and
/// one look takes all that have come. There is one look at a time.
struct UnheardNotices: Sendable {
  /// The time for which a store that has failed is not asked again.
  static let pause: Duration = .seconds(1)

  /// The number of credentials, and of sessions that are not in memory, from which on no more find room.
  static let most = 10_000

  /// The things that one look asks the store about.
  struct Look: Sendable, Equatable {
    /// Clients in memory that may have changed.
    var clients: Set<Credential> = []
    /// Credentials that are said to have ended, each with the reason.
    var ended: [Credential: EndedCredentials.Reason] = [:]
    /// Sessions that others may have asked to end.
    var ends: Set<String> = []
    /// Sessions that stay, though others have asked that they make room. The store is to forget that.
    var staying: Set<String> = []

    var isEmpty: Bool { clients.isEmpty && ended.isEmpty && ends.isEmpty && staying.isEmpty }
  }

  /// The store's word on the things of a look.
  struct News: Sendable {
    var clients: [ClientRecord] = []
    var ended: [Credential] = []
    var ends: [String: Closing] = [:]
  }

  private var waiting = Look()
  private var isLooking = false
  /// The instant from which on a store that has failed is asked again.
  private var next: ContinuousClock.Instant?

  mutating func add(clients: [Credential]) { waiting.clients.formUnion(clients) }

  mutating func add(ended credential: Credential, _ reason: EndedCredentials.Reason) {
    if waiting.ended.count < Self.most { waiting.ended[credential] = reason }
  }

  /// - Parameter areInMemory: whether they are sessions in memory, which always find room.
  mutating func add(ends ids: [String], areInMemory: Bool) {
    if areInMemory || waiting.ends.count < Self.most { waiting.ends.formUnion(ids) }
  }

  mutating func add(staying id: String) { waiting.staying.insert(id) }

  /// Takes all that waits for a look; `nil` while one is under way, for a second after one that failed, and if nothing
  /// waits.
  mutating func takeLook(now: ContinuousClock.Instant) -> Look? {
    if isLooking || waiting.isEmpty { return nil }
    if let next, now < next { return nil }
    isLooking = true
    defer { waiting = Look() }
    return waiting
  }

  /// Notes that a look is over. If it has failed, the next one asks about the same things.
  mutating func finish(_ look: Look, hasFailed: Bool, now: ContinuousClock.Instant) {
    isLooking = false
    next = hasFailed ? now + Self.pause : nil
    guard hasFailed else { return }
    waiting.clients.formUnion(look.clients)
    waiting.ended.merge(look.ended) { later, _ in later }
    waiting.ends.formUnion(look.ends)
    waiting.staying.formUnion(look.staying)
  }
}

extension UnheardNotices.Look {
  /// Asks the store: one trip for each kind of thing.
  func ask(_ store: any SessionStore) throws(StoreError) -> UnheardNotices.News {
    var news = UnheardNotices.News()
    if !clients.isEmpty { news.clients = try store.clients(with: Array(clients)) }
    if !ended.isEmpty { news.ended = try store.ended(among: Array(ended.keys)) }
    guard let shared = store as? any SharedSessionStore else { return news }
    // First, so that it is not asked once more whether a session stays that stays.
    if !staying.isEmpty { try shared.keep(staying.sorted(), insteadOf: .superseded) }
    if !ends.isEmpty { news.ends = try shared.askedEnds(among: Array(ends)) }
    return news
  }
}
