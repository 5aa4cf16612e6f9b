// SPDX-License-Identifier: MIT
import Dispatch
import Locking
import StoreRules
import Testing

@testable import Sessions
@testable import Storing

@Suite struct `Notices that the store was not asked about` {
  private let now = ContinuousClock.now

  private func credential(_ number: Int) -> Credential { Credential(hashing: "\(number)") }

  @Test func `wait for one look, which takes them all, and for the next while that is under way`() {
    var unheard = UnheardNotices()
    #expect(unheard.takeLook(now: now) == nil, "nothing has come")
    unheard.add(clients: [credential(1), credential(2)])
    unheard.add(clients: [credential(1)])
    unheard.add(ended: credential(3), .replaced)
    unheard.add(ended: credential(3), .signedOut)
    unheard.add(ends: ["a"], areInMemory: false)
    let first = UnheardNotices.Look(
      clients: [credential(1), credential(2)], ended: [credential(3): .signedOut], ends: ["a"])
    #expect(unheard.takeLook(now: now) == first)
    unheard.add(ends: ["b"], areInMemory: false)
    #expect(unheard.takeLook(now: now) == nil, "a look is under way")
    unheard.finish(first, hasFailed: false, now: now)
    let second = UnheardNotices.Look(ends: ["b"])
    #expect(unheard.takeLook(now: now) == second)
    unheard.finish(second, hasFailed: false, now: now)
    #expect(unheard.takeLook(now: now) == nil)
  }

  @Test func `come again after a look that failed, with those that came meanwhile`() {
    var unheard = UnheardNotices()
    unheard.add(clients: [credential(1)])
    unheard.add(ended: credential(2), .replaced)
    unheard.add(ends: ["a"], areInMemory: false)
    unheard.add(staying: "c")
    let first = UnheardNotices.Look(
      clients: [credential(1)], ended: [credential(2): .replaced], ends: ["a"], staying: ["c"])
    #expect(unheard.takeLook(now: now) == first)
    unheard.add(ended: credential(2), .signedOut)
    unheard.add(ends: ["b"], areInMemory: false)
    unheard.finish(first, hasFailed: true, now: now)
    #expect(unheard.takeLook(now: now + .milliseconds(999)) == nil, "the store has failed just now")
    #expect(
      unheard.takeLook(now: now + .seconds(1))
        == UnheardNotices.Look(
          clients: [credential(1)], ended: [credential(2): .signedOut], ends: ["a", "b"], staying: ["c"]))
  }

  @Test func `are not more than there is room for, but for those about sessions in memory`() throws {
    var unheard = UnheardNotices()
    for number in 0...UnheardNotices.most {
      unheard.add(ended: credential(number), .replaced)
      unheard.add(ends: ["\(number)"], areInMemory: false)
    }
    unheard.add(ends: ["mine", "mine too"], areInMemory: true)
    let taken = unheard.takeLook(now: now)
    let look = try #require(taken)
    #expect(look.ended.count == UnheardNotices.most && look.ends.count == UnheardNotices.most + 2)
    #expect(look.ends.isSuperset(of: ["mine", "mine too"]))
  }
}

@Suite(.timeLimit(.minutes(30))) struct `A host that hears notices` {
  private let store = SharedShelf()
  private let host: StoredHost

  init() throws { host = try StoredHost(store) }

  private func hear(_ notices: NodeNotice...) async throws {
    for notice in notices { store.tell(notice) }
    try await host.hear()
  }

  private var looks: [String] {
    store.state.withLock { state in
      defer { state.looks = [] }
      return state.looks
    }
  }

  private func sessionID(_ number: Int) -> String { "\(number + 1_000_000)AAAAAAAAAAAAAAA" }

  @Test func `asks the store about all those of a sign by one look for each kind`() async throws {
    try await hear()
    let client = try #require(try await host.open().credential)
    _ = looks
    for number in 0..<500 {
      store.tell(.ended(Credential(hashing: "\(number)"), isSignedOut: true))
      store.tell(.end(sessionID(number)))
      for notice in [.client(client, ofUser: nil), .allClients, .end("no id")] as [NodeNotice] { store.tell(notice) }
    }
    try await hear()
    #expect(looks == ["clients 1", "ended 500", "ends 500"])
    try await hear(.ended(Credential(hashing: "1"), isSignedOut: true))
    #expect(looks == [], "it knows that one by now")
  }

  @Test func `asks by one look at a time, however slow the store is`() async throws {
    try await hear()
    _ = looks
    let committer = try #require(host.host.keeper).committer
    let goOn = DispatchSemaphore(value: 0)
    committer.withStore { _ in
      goOn.wait()
    } then: { _ in
    }
    for number in 0..<50 {
      store.tell(.end(sessionID(number)))
      host.giveSign(after: .milliseconds(400))
    }
    goOn.signal()
    try await host.swept()
    #expect(looks == ["ends 1"])
    host.host.hearAgain()
    try await host.swept()
    #expect(looks == ["ends 49"])
  }

  @Test func `tells a client why its credential ended, if the store says so`() async throws {
    try await hear()
    let own = try #require(try await host.open().credential)
    let (first, second) = (Credential(hashing: "first"), Credential(hashing: "second"))
    store.memory.put(ClientRecord(owner: first, credential: Credential(hashing: "third"), user: nil, changed: 1))
    try await hear(
      .ended(first, isSignedOut: false), .ended(second, isSignedOut: true),
      .ended(Credential(hashing: "third"), isSignedOut: true), .ended(own, isSignedOut: true))
    let reasons = [first, second, Credential(hashing: "third"), own].map { credential in
      host.host.table.ending(of: credential, now: host.clock.now).map { "\($0)" }
    }
    #expect(reasons == ["replaced", "signedOut", nil, nil])
  }

  @Test func `asks again until the store can say it`() async throws {
    try await hear()
    let opened = try await host.open()
    let client = Credential(hashing: "gone")
    store.state.withLock { $0.refusesLooks = true }
    store.askToEnd(opened.session.id, as: .ended)
    try await hear(.ended(client, isSignedOut: true))
    #expect(try await host.find(opened.session.id, as: opened.newKey).text == "session", "nobody could know")
    store.state.withLock { $0.refusesLooks = false }
    host.clock.advance(by: .seconds(1))
    host.host.expire()
    try await host.swept()
    await opened.session.settled()
    #expect(await opened.session.stored() == nil)
    #expect(try await host.find(opened.session.id, as: opened.newKey).text == "ended")
    #expect(host.host.table.ending(of: client, now: host.clock.now) == .signedOut)
  }
}
