// SPDX-License-Identifier: MIT
import Testing
import ViewModels

@testable import Storing

@Suite struct `The queue of changes` {
  typealias Queue = CommitQueue<Int, Int>
  var queue = Queue()
  let start = ContinuousClock.now
  static let mine = SessionClaim(boot: 1, number: 1)
  static let full = StoreError(.full, "no room")
  static let lost = StoreError(.unavailable, "no answer")

  static func record(_ id: String, _ revision: UInt64, bytes: Int = 2) -> SessionRecord {
    SessionRecord(
      id: id, model: "note", owner: Credential(hashing: id), opening: nil, revision: revision, schema: 1,
      state: Array(repeating: 0x20, count: bytes), keys: [], lastUsed: 0)
  }

  static func change(_ id: String, _ revision: UInt64, isNew: Bool = false, bytes: Int = 2) -> StoreChange {
    StoreChange(id, mine, isNew: isNew, .record(record(id, revision, bytes: bytes)))
  }

  /// The queue's next step as text. `a3` commits revision 3 of session a, and `a3*` does so for a new session.
  /// `!` stands before changes that survive a power cut.
  mutating func next(after seconds: Double = 0) -> String {
    switch queue.next(now: start + .seconds(seconds)) {
    case .claim(let requests): "claim " + requests.map(\.id).joined(separator: " ")
    case .commit(let changes, let survivesPowerCut):
      (survivesPowerCut ? "!" : "") + changes.map(Self.text).joined(separator: " ")
    case .wait(let instant): "wait \((instant - start) / .milliseconds(1))"
    case .idle: "idle"
    case .finished: "finished"
    }
  }

  /// The changes of the queue's next step.
  private mutating func committed(after seconds: Double = 0) -> [StoreChange] {
    if case .commit(let changes, _) = queue.next(now: start + .seconds(seconds)) { changes } else { [] }
  }

  static func text(_ change: StoreChange) -> String {
    switch change.content {
    case .record(let record): "\(change.id)\(record.revision)\(change.isNew ? "*" : "")"
    case .closed, .removed, .setAside: "\(change.id) ends"
    }
  }

  mutating func answer(_ outcomes: CommitOutcome..., after seconds: Double = 0) -> [String] {
    queue.answered(outcomes, now: start + .seconds(seconds)).map { "\($0.ticket) \(Self.text($0.outcome))" }
  }

  static func text(_ outcome: CommitOutcome) -> String {
    switch outcome {
    case .durable: "durable"
    case .fenced: "fenced"
    case .behind: "behind"
    case .unknown(let error), .refused(let error): "\(error.kind)"
    }
  }

  @Test mutating func `has a session once, with its latest change, and tells all that asked`() {
    #expect(queue.submit(Self.change("a", 1), .relaxed, 1) == nil)
    #expect(queue.submit(Self.change("b", 1), .relaxed, 2) == nil)
    #expect(queue.submit(Self.change("a", 2), .relaxed, 3) == nil)
    #expect(next() == "a2 b1")
    #expect(answer(.durable, .durable) == ["1 durable", "3 durable", "2 durable"])
    #expect(next() == "idle")
  }

  private static func change(_ id: String, put: [String: String], removed: [String] = []) -> StoreChange {
    var record = record(id, 1)
    for (name, json) in put { record.parts.put[Array(name.utf8)] = Array(json.utf8) }
    record.parts.removed = Set(removed.map { Array($0.utf8) })
    return StoreChange(id, mine, .record(record))
  }

  @Test mutating func `has the parts of all changes that a later one has taken the place of`() {
    _ = queue.submit(Self.change("a", put: ["1": "on its way", "2": "on its way"]), .relaxed, 1)
    #expect(next() == "a1")
    _ = queue.submit(Self.change("a", put: ["3": "waits", "4": "waits"], removed: ["5", "6"]), .relaxed, 2)
    _ = queue.submit(Self.change("a", put: ["5": "last", "4": "last"], removed: ["1", "3"]), .relaxed, 3)
    // The change may have been written or not. The queue makes it again, with the changes that came meanwhile.
    #expect(answer(.unknown(Self.lost)) == [])
    let whole = Self.change("a", put: ["2": "on its way", "4": "last", "5": "last"], removed: ["1", "3", "6"])
    #expect(committed(after: 1).map(\.content) == [whole.content])
    // After the change is stored, nothing of it is made again.
    #expect(answer(.durable) == ["1 durable", "2 durable", "3 durable"])
    _ = queue.submit(Self.change("a", put: ["7": "new"]), .relaxed, 4)
    #expect(committed(after: 1).map(\.content) == [Self.change("a", put: ["7": "new"]).content])
  }

  @Test mutating func `gathers the next batch while one is on its way`() {
    _ = queue.submit(Self.change("a", 1), .relaxed, 1)
    #expect(next() == "a1")
    _ = queue.submit(Self.change("a", 2), .relaxed, 2)
    _ = queue.submit(Self.change("b", 1), .relaxed, 3)
    #expect(next() == "idle")
    #expect(answer(.durable) == ["1 durable"])
    #expect(next() == "a2 b1")
    #expect(queue.count == 2)
  }

  @Test mutating func `syncs a batch with a change that is to survive a power cut, and no other`() {
    _ = queue.submit(Self.change("a", 1), .relaxed, 1)
    _ = queue.submit(Self.change("b", 1), .acknowledged, 2)
    _ = queue.submit(Self.change("b", 2), .relaxed, 3)
    #expect(next() == "!a1 b2")
    _ = answer(.durable, .durable)
    _ = queue.submit(Self.change("b", 3), .relaxed, 4)
    #expect(next() == "b3")
  }

  @Test mutating func `has no change that is to be in memory only`() {
    #expect(queue.submit(Self.change("a", 1), .memory, 1) == .durable)
    #expect(next() == "idle")
  }

  @Test mutating func `tries a change again that may have been written or not, before all others, less and less often`()
  {
    _ = queue.submit(Self.change("a", 1, isNew: true), .relaxed, 1)
    #expect(next() == "a1*")
    _ = queue.submit(Self.change("b", 1), .relaxed, 2)
    #expect(answer(.unknown(Self.lost)) == [])
    #expect(next() == "wait 10.0")
    #expect(next(after: 0.010) == "a1* b1")
    #expect(answer(.unknown(Self.lost), .durable, after: 1) == ["2 durable"])
    #expect(next(after: 1) == "wait 1020.0")
    var seconds = 2.0
    for milliseconds in [40.0, 80, 160, 320, 640, 1_280, 2_560, 5_000, 5_000] {
      #expect(next(after: seconds) == "a1*")
      #expect(answer(.unknown(Self.lost), after: seconds) == [])
      #expect(next(after: seconds) == "wait \(seconds * 1_000 + milliseconds)")
      seconds += 10
    }
    #expect(next(after: seconds) == "a1*")
    #expect(answer(.durable) == ["1 durable"])
    _ = queue.submit(Self.change("a", 2), .relaxed, 3)
    #expect(next() == "a2")
    #expect(answer(.unknown(Self.lost)) == [])
    #expect(next() == "wait 10.0")
  }

  @Test
  mutating func `puts a later change in the place of one that is tried again, which stays new and has its reader`() {
    _ = queue.submit(Self.change("a", 1, isNew: true), .acknowledged, 1)
    #expect(next() == "!a1*")
    _ = queue.submit(Self.change("b", 1), .relaxed, 2)
    _ = queue.submit(Self.change("a", 2), .relaxed, 3)
    _ = answer(.unknown(Self.lost))
    #expect(next(after: 1) == "!a2* b1")
    #expect(answer(.durable, .durable) == ["1 durable", "3 durable", "2 durable"])
  }

  @Test mutating func `numbers changes, the later the greater`() throws {
    for ticket in 1...3 { _ = queue.submit(Self.change("s\(ticket)", 1), .relaxed, ticket) }
    #expect(committed().map(\.number) == [1, 2, 3])
    _ = answer(.unknown(Self.lost), .durable, .durable)
    #expect(committed(after: 1).map(\.number) == [1])
  }

  @Test mutating func `has a change that took the place of others build on what the first of them built on`() {
    func submit(since: UInt64) {
      _ = queue.submit(StoreChange("a", Self.mine, .record(Self.record("a", 1)), since: since), .relaxed, 1)
    }
    submit(since: 7)
    #expect(committed().map(\.since) == [7])
    submit(since: 8)
    submit(since: 9)
    _ = answer(.unknown(Self.lost))
    let again = committed(after: 1)
    #expect(again.map(\.number) == [3] && again.map(\.since) == [7])
  }

  @Test mutating func `tells that a change is behind, and goes on with the next one`() {
    _ = queue.submit(Self.change("a", 1), .relaxed, 1)
    #expect(next() == "a1")
    _ = queue.submit(Self.change("a", 2), .relaxed, 2)
    #expect(answer(.behind) == ["1 behind"])
    #expect(next() == "a2")
  }

  struct Unexpected: Error {}

  @Test mutating func `lets nothing through that builds on a change which was not taken, until the copy is gone`() {
    for outcome in [CommitOutcome.refused(Self.full), .fenced] {
      let text = Self.text(outcome)
      _ = queue.submit(Self.change("a", 1), .relaxed, 1)
      _ = queue.submit(Self.change("b", 1), .relaxed, 2)
      #expect(next() == "a1 b1")
      _ = queue.submit(Self.change("a", 2), .relaxed, 3)
      #expect(answer(outcome, .durable) == ["1 \(text)", "3 \(text)", "2 durable"])
      #expect(queue.submit(Self.change("a", 3), .relaxed, 4) == outcome)
      #expect(next() == "idle")
      queue.release("a", Self.mine)
      #expect(queue.submit(Self.change("a", 4), .relaxed, 5) == nil)
      #expect(next() == "a4")
      _ = answer(.durable)
    }
  }

  @Test mutating func `reads no session while a change of it is on its way`() {
    let claim = { Queue.ClaimRequest(offer: ClaimOffer($0, Self.mine), ticket: 9) }
    _ = queue.submit(Self.change("a", 1), .relaxed, 1)
    for id in ["a", "b"] { #expect(queue.claim(claim(id)) == true) }
    #expect(next() == "claim b")
    #expect(next() == "a1")
    #expect(next() == "idle")
    _ = answer(.unknown(Self.lost))
    #expect(next() == "wait 10.0")
    #expect(next(after: 1) == "a1")
    _ = answer(.durable)
    #expect(next() == "claim a")
    #expect(next() == "idle")
  }

  @Test mutating func `makes no batch of more than its limits, and one of a change that alone is more`() {
    queue = Queue(limits: .init(changes: 3, bytes: 2_000))
    for ticket in 1...5 { _ = queue.submit(Self.change("s\(ticket).", 1), .relaxed, ticket) }
    _ = queue.submit(Self.change("large.", 1, bytes: 5_000), .relaxed, 6)
    _ = queue.submit(Self.change("last.", 1), .relaxed, 7)
    #expect(next() == "s1.1 s2.1 s3.1")
    _ = answer(.durable, .durable, .durable)
    #expect(next() == "s4.1 s5.1")
    _ = answer(.durable, .durable)
    #expect(next() == "large.1")
    _ = answer(.durable)
    #expect(next() == "last.1")
  }

  @Test mutating func `drains: it takes nothing more, and finishes when everything is committed`() {
    _ = queue.submit(Self.change("a", 1), .relaxed, 1)
    #expect(queue.claim(.init(offer: ClaimOffer("a", Self.mine), ticket: 9)) == true)
    #expect(queue.drain() == [9])
    #expect(queue.submit(Self.change("b", 1), .relaxed, 2) == .refused(.stopped))
    #expect(queue.claim(.init(offer: ClaimOffer("a", Self.mine), ticket: 9)) == false)
    #expect(next() == "a1")
    #expect(answer(.unknown(Self.lost)) == [])
    #expect(next() == "wait 10.0")
    #expect(next(after: 1) == "a1")
    #expect(answer(.durable) == ["1 durable"])
    #expect(next() == "finished")
  }

  @Test mutating func `gives up changes that are not committed, and says that nothing is known of them`() {
    _ = queue.submit(Self.change("a", 1), .relaxed, 1)
    #expect(next() == "a1")
    _ = queue.submit(Self.change("a", 2), .relaxed, 2)
    _ = queue.submit(Self.change("b", 1), .relaxed, 3)
    #expect(queue.giveUp().map { "\($0.ticket) \(Self.text($0.outcome))" } == ["1 stopped", "2 stopped", "3 stopped"])
    #expect(queue.count == 0)
    #expect(next() == "finished")
  }

  @Test mutating func `has a change of another copy of the session in none of this one's, and tells it as fenced`() {
    let (old, new) = (SessionClaim(boot: 1, number: 1), SessionClaim(boot: 1, number: 2))
    func change(_ claim: SessionClaim) -> StoreChange { StoreChange("a", claim, Self.change("a", 1).content) }
    var told: [Queue.Delivery] = []
    #expect(queue.submit(change(old), .relaxed, 1) { told.append($0) } == nil)
    #expect(queue.submit(change(new), .relaxed, 2) { told.append($0) } == nil)
    #expect(told.map(\.ticket) == [1] && told.map(\.outcome) == [.fenced])
    // A change of the old copy that comes later is refused at once, and takes no other change's place.
    #expect(queue.submit(change(old), .relaxed, 3) { told.append($0) } == .fenced)
    #expect(committed().map(\.claim) == [new])
    #expect(answer(.durable) == ["2 durable"])
    // The queue bars the old copy alone.
    #expect(queue.submit(change(old), .relaxed, 4) == nil)
    #expect(committed().map(\.claim) == [old])
    #expect(queue.submit(change(new), .relaxed, 5) == nil)
    #expect(answer(.fenced) == ["4 fenced"])
    #expect(queue.submit(change(old), .relaxed, 6) == .fenced)
    #expect(committed().map(\.claim) == [new])
  }
}
