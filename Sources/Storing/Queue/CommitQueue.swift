// SPDX-License-Identifier: MIT
import ObservableCore
import ViewModels

/// The changes to be committed, and their outcomes. A value, without a clock, a lock or a thread.
///
/// Each session waits in it once, with its latest change and all outputs that are to be told. One batch is on
/// its way at a time; changes that come meanwhile make the next batch.
///
/// A change that may or may not have been written is tried again, before all others, at growing intervals. A
/// session whose change was not taken is *barred*: its later changes build on that one, so they get the same
/// outcome. It is barred until its owner says that the copy is gone.
struct CommitQueue<Ticket: Sendable, ClaimTicket: Sendable>: Sendable {
  struct Limits: Sendable {
    /// The limits of one batch. No session waits for more than one batch beside its own.
    var changes = 256
    var bytes = 4 << 20
    /// The time between a failure and the next attempt, at first and at most. It doubles with each failure.
    var firstPause: Duration = .milliseconds(10)
    var longestPause: Duration = .seconds(5)
  }

  enum Step: Sendable {
    case claim([ClaimRequest])
    case commit([StoreChange], survivesPowerCut: Bool)
    /// Nothing can be done before this instant.
    case wait(until: ContinuousClock.Instant)
    /// Nothing can be done before something new comes.
    case idle
    /// The queue was told to drain, and is empty.
    case finished
  }

  struct ClaimRequest: Sendable {
    let offer: ClaimOffer
    let ticket: ClaimTicket

    var id: String { offer.id }
  }

  struct Delivery: Sendable {
    let ticket: Ticket
    let outcome: CommitOutcome
  }

  private struct Entry: Sendable {
    var change: StoreChange
    var durability: Durability
    var tickets: [Ticket]
  }

  private let limits: Limits
  private var waiting: [String: Entry] = [:]
  /// The ids of `waiting`, in the order in which they are committed, from `head` on.
  private var order: [String] = []
  private var head = 0
  /// The batch that is on its way; empty if there is none.
  private var batch: [Entry] = []
  private var claims: [ClaimRequest] = []
  private(set) var barred: [String: (claim: SessionClaim, outcome: CommitOutcome)] = [:]
  /// The number of the last change that was submitted.
  private(set) var lastNumber: UInt64 = 0
  private var failures = 0
  private var notBefore: ContinuousClock.Instant?
  private(set) var isDraining = false

  init(limits: Limits = Limits()) { self.limits = limits }

  /// The number of sessions whose changes are not in the store yet.
  var count: Int { waiting.count + batch.count }

  /// - Parameter tell: gets the tickets of changes that this change replaces, which another copy of the session
  ///   had handed over. A later claim has all rights, and this change does not contain the changes of another
  ///   claim.
  /// - Returns: the outcome, if it is known already. Otherwise the ticket gets it later.
  mutating func submit(
    _ change: StoreChange, _ durability: Durability, _ ticket: Ticket, telling tell: (Delivery) -> Void = { _ in }
  ) -> CommitOutcome? {
    if let (claim, outcome) = barred[change.id], claim == change.claim { return outcome }
    if durability == .memory { return .durable }
    if isDraining { return .refused(.stopped) }
    lastNumber += 1
    var change = change
    change.number = lastNumber
    if let earlier = waiting[change.id], earlier.change.claim != change.claim {
      if change.claim.isEarlier(than: earlier.change.claim) { return .fenced }
      for ticket in earlier.tickets { tell(Delivery(ticket: ticket, outcome: .fenced)) }
      // The session has its place in the order already.
      waiting[change.id] = Entry(change: change, durability: durability, tickets: [ticket])
    } else if let earlier = waiting[change.id] {
      waiting[change.id] = Self.merged(earlier, Entry(change: change, durability: durability, tickets: [ticket]))
    } else {
      waiting[change.id] = Entry(change: change, durability: durability, tickets: [ticket])
      order.append(change.id)
    }
    return nil
  }

  /// Numbers a change that is committed beside the queue, when no change of its session is in it.
  ///
  /// - Returns: the outcome, if it is known already.
  mutating func number(_ change: inout StoreChange) -> CommitOutcome? {
    if let (claim, outcome) = barred[change.id], claim == change.claim { return outcome }
    if isDraining { return .refused(.stopped) }
    if waiting[change.id] != nil || batch.contains(where: { $0.change.id == change.id }) {
      stopProgram(bug: "\(change.id) has a change in the queue")
    }
    lastNumber += 1
    change.number = lastNumber
    return nil
  }

  /// Notes that a change beside the queue was not taken.
  mutating func bar(_ change: StoreChange, _ outcome: CommitOutcome) {
    barred[change.id] = (change.claim, outcome)
  }

  /// - Returns: whether the ticket gets an outcome; `false` once the queue drains.
  mutating func claim(_ request: ClaimRequest) -> Bool {
    if isDraining { return false }
    claims.append(request)
    return true
  }

  /// Notes that the copy with this claim is gone. If it was barred, that need not be known any more.
  mutating func release(_ id: String, _ claim: SessionClaim) {
    if barred[id]?.claim == claim { barred[id] = nil }
  }

  /// The next thing to be done.
  mutating func next(now: ContinuousClock.Instant) -> Step {
    if let ready = takeClaims() { return .claim(ready) }
    if !batch.isEmpty { return .idle }
    if waiting.isEmpty { return isDraining ? .finished : .idle }
    if let notBefore, notBefore > now { return .wait(until: notBefore) }
    takeBatch()
    return .commit(batch.map(\.change), survivesPowerCut: batch.contains { $0.durability == .acknowledged })
  }

  /// Takes the claims that can be made. A session is not read while a change of it waits or is on its way.
  private mutating func takeClaims() -> [ClaimRequest]? {
    guard !claims.isEmpty else { return nil }
    let underWay = Set(batch.map(\.change.id))
    let isReady = { [waiting] (request: ClaimRequest) in
      waiting[request.id] == nil && !underWay.contains(request.id)
    }
    let ready = claims.filter(isReady)
    guard !ready.isEmpty else { return nil }
    claims.removeAll(where: isReady)
    return ready
  }

  private mutating func takeBatch() {
    var bytes = 0
    while head < order.count, batch.count < limits.changes {
      guard let entry = waiting[order[head]] else { stopProgram(bug: "\(order[head]) waits without a change") }
      bytes += entry.change.size
      if bytes > limits.bytes, !batch.isEmpty { break }
      waiting[order[head]] = nil
      batch.append(entry)
      head += 1
    }
    if head == order.count || head > 1_024 && head * 2 > order.count {
      order.removeFirst(head)
      head = 0
    }
  }

  /// Takes the outcomes of the batch.
  ///
  /// - Parameter outcomes: one for each change of the batch, in order.
  /// - Returns: the outputs that are to be told, each with its outcome.
  mutating func answered(_ outcomes: [CommitOutcome], now: ContinuousClock.Instant) -> [Delivery] {
    if outcomes.count != batch.count { stopProgram(bug: "\(batch.count) changes have \(outcomes.count) outcomes") }
    var deliveries: [Delivery] = []
    var again: [Entry] = []
    for (entry, outcome) in zip(batch, outcomes) {
      switch outcome {
      // A later change that waits builds on one that is behind, and gets the same outcome in its turn.
      case .durable, .behind: deliveries += entry.tickets.map { Delivery(ticket: $0, outcome: outcome) }
      case .unknown: again.append(entry)
      case .fenced, .refused:
        barred[entry.change.id] = (entry.change.claim, outcome)
        let isSameCopy = waiting[entry.change.id]?.change.claim == entry.change.claim
        let later = isSameCopy ? waiting.removeValue(forKey: entry.change.id) : nil
        if later != nil, let index = order[head...].firstIndex(of: entry.change.id) { order.remove(at: index) }
        deliveries += (entry.tickets + (later?.tickets ?? [])).map { Delivery(ticket: $0, outcome: outcome) }
      }
    }
    batch = []
    deliveries += putBack(again)
    failures = again.isEmpty ? 0 : failures + 1
    notBefore = again.isEmpty ? nil : now + pause
    return deliveries
  }

  private var pause: Duration {
    min(limits.longestPause, limits.firstPause * (1 << min(failures - 1, 20)))
  }

  /// - Returns: the outputs that are to be told that another copy has taken the place of theirs.
  private mutating func putBack(_ entries: [Entry]) -> [Delivery] {
    guard !entries.isEmpty else { return [] }
    var deliveries: [Delivery] = []
    let ids = Set(entries.map(\.change.id))
    order = entries.map(\.change.id) + order[head...].filter { !ids.contains($0) }
    head = 0
    for entry in entries {
      guard let later = waiting[entry.change.id] else {
        waiting[entry.change.id] = entry
        continue
      }
      if later.change.claim == entry.change.claim {
        waiting[entry.change.id] = Self.merged(entry, later)
      } else {
        deliveries += entry.tickets.map { Delivery(ticket: $0, outcome: .fenced) }
      }
    }
    return deliveries
  }

  /// Merges two changes of one copy. The later change contains the earlier one except for its parts. It takes
  /// those on, and whether the session is new to the store.
  private static func merged(_ earlier: Entry, _ later: Entry) -> Entry {
    var merged = later
    merged.change.follow(earlier.change)
    merged.durability = max(earlier.durability, later.durability)
    merged.tickets = earlier.tickets + later.tickets
    return merged
  }

  // MARK: The end

  /// Takes nothing more, and finishes once everything is committed.
  ///
  /// - Returns: the claims that will not be made any more.
  mutating func drain() -> [ClaimTicket] {
    isDraining = true
    defer { claims = [] }
    return claims.map(\.ticket)
  }

  /// Gives up all uncommitted changes and the batch that is on its way, whose outcome is unknown.
  mutating func giveUp() -> [Delivery] {
    isDraining = true
    let entries = batch + order[head...].compactMap { waiting[$0] }
    (batch, waiting, order, head) = ([], [:], [], 0)
    return entries.flatMap(\.tickets).map { Delivery(ticket: $0, outcome: .unknown(.stopped)) }
  }
}
