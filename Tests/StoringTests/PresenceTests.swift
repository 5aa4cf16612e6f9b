// SPDX-License-Identifier: MIT
import Locking
import StoreRules
import Testing

@testable import Storing

@Suite(.timeLimit(.minutes(30))) struct `The presence of a node` {
  private final class World: Sendable {
    let store = SharedShelf()
    let now = Locked(ContinuousClock.Instant.now)
    let presence: Presence
    let dropped = Locked<[String]>([])
    let lapses = Locked(0)
    let failures = Locked<[StoreError]>([])
    let works = Locked(0)
    let heard = Locked<[NodeNotice]>([])
    let memory: Locked<[String]>

    init(_ memory: [String] = []) {
      self.memory = Locked(memory)
      presence = Presence(store) { [now] in now.withLock { $0 } }
    }

    func pass(_ duration: Duration) { now.withLock { $0 += duration } }

    /// Gives a sign if one is due, and returns when it is given.
    func tend() {
      presence.tend(
        inMemory: { [memory] in memory.withLock { $0 } }, drop: { [dropped] ids in dropped.withLock { $0 += ids } },
        heard: { [heard] notices in heard.withLock { $0 += notices } },
        worked: { [works] in works.withLock { $0 += 1 } },
        failed: { [failures] error in failures.withLock { $0.append(error) } },
        lapsed: { lapses.withLock { $0 += 1 } })
      presence.settle()
    }

    var holds: Bool { presence.lease.holds(now.withLock { $0 }) }
    var beats: Int { store.state.withLock { $0.beats } }
  }

  @Test func `is said every four tenths of a second, and holds the lease for two seconds`() {
    let world = World()
    #expect(!world.holds, "nothing was said yet")
    world.tend()
    #expect(world.holds && world.beats == 1)
    world.pass(.milliseconds(399))
    world.tend()
    #expect(world.beats == 1)
    world.pass(.milliseconds(1))
    world.tend()
    #expect(world.beats == 2)
    world.pass(.milliseconds(1_999))
    #expect(world.holds)
    world.pass(.milliseconds(1))
    #expect(!world.holds)
  }

  @Test func `lapses once while the store is away, and lets waiting requests go on when it is back`() {
    let world = World()
    world.tend()
    world.store.state.withLock { $0.isAway = true }
    let isTold = Locked(false)
    for _ in 0..<8 {
      world.pass(.milliseconds(500))
      world.tend()
    }
    #expect(!world.holds && world.lapses.withLock { $0 } == 1)
    world.presence.lease.whenHeld(world.now.withLock { $0 }) { isTold.withLock { $0 = true } }
    #expect(!isTold.withLock { $0 })
    #expect(world.works.withLock { $0 } == 1)
    #expect(world.failures.withLock { $0.allSatisfy { $0.kind == .unavailable } && !$0.isEmpty }, "it is said why")
    world.store.state.withLock { $0.isAway = false }
    world.pass(.milliseconds(500))
    world.tend()
    #expect(world.holds && isTold.withLock { $0 } && world.lapses.withLock { $0 } == 1)
    #expect(world.works.withLock { $0 } == 2, "the sign says that the store works")
  }

  @Test func `holds again only when sessions that others took were dropped`() {
    let ids = (0..<2_345).map { "s\($0)" }
    let world = World(ids)
    world.tend()
    #expect(world.store.state.withLock { $0.asked.flatMap { $0 } } == ids, "before the first one nothing is certain")
    world.store.state.withLock { ($0.asked, $0.takenIDs) = ([], ["s7", "s2000"]) }
    world.pass(.milliseconds(500))
    world.tend()
    #expect(world.store.state.withLock { $0.asked.isEmpty }, "the lease held")
    world.pass(.seconds(3))
    world.tend()
    #expect(world.store.state.withLock { $0.asked } == [ids], "one trip is enough for any number of sessions")
    #expect(world.dropped.withLock { $0 } == ["s7", "s2000"] && world.holds)
  }

  @Test func `drops sessions that others took, if it has missed that they said so`() {
    let world = World(["a", "b"])
    world.tend()
    world.store.state.withLock { ($0.takenIDs, $0.notices) = (["b"], [.missed]) }
    world.pass(.milliseconds(500))
    world.tend()
    #expect(world.dropped.withLock { $0 } == ["b"] && world.holds)
  }

  @Test func `holds for the rest of two seconds after a sign that took long, and lets nobody go on after a longer one`()
  {
    let world = World(["a"])
    let told = Locked(0)
    func sign(taking duration: Duration) {
      world.store.whileBeating.withLock { $0 = { world.pass(duration) } }
      world.presence.lease.whenHeld(world.now.withLock { $0 }) { told.withLock { $0 += 1 } }
      world.tend()
    }
    sign(taking: .milliseconds(1_500))
    #expect(world.holds && told.withLock { $0 } == 1)
    world.pass(.milliseconds(500))
    #expect(!world.holds)
    sign(taking: .milliseconds(2_000))
    #expect(!world.holds && told.withLock { $0 } == 1)
    // The request waits on, and goes on with the next sign.
    sign(taking: .milliseconds(1_900))
    #expect(world.holds && told.withLock { $0 } == 3)
  }

  @Test func `is not shown to others for long after two signs in a row that came too late for a lease`() {
    let world = World()
    world.store.whileBeating.withLock { $0 = { world.pass(.milliseconds(2_200)) } }
    for _ in 0..<2 { world.tend() }
    #expect(world.beats == 2 && !world.holds)
    world.pass(NodeWatch.patience - .milliseconds(1))
    world.tend()
    #expect(world.beats == 2, "others may take over its sessions now")
    world.pass(.milliseconds(1))
    world.store.whileBeating.withLock { $0 = {} }
    world.tend()
    #expect(world.beats == 3 && world.holds, "the way to the store is quick again")
    world.pass(.milliseconds(400))
    world.tend()
    #expect(world.beats == 4)
  }

  @Test func `drops sessions that came into memory while it looked for those that others took`() {
    let world = World(["a"])
    world.store.whileBeating.withLock { $0 = { world.memory.withLock { $0 = ["a", "b"] } } }
    world.tend()
    #expect(world.dropped.withLock { $0 } == ["b"] && world.holds)
  }

  @Test func `brings the notices of other nodes with a sign`() {
    let world = World()
    world.store.tell(.end("a"))
    world.tend()
    #expect(world.heard.withLock { $0 } == [.end("a")])
  }

  @Test(arguments: [
    NodeNotice.client(Credential(hashing: "a"), ofUser: nil),
    .client(Credential(hashing: "a"), ofUser: .ofUser("7")), .ended(Credential(hashing: "a"), isSignedOut: true),
    .ended(Credential(hashing: "b"), isSignedOut: false), .allClients,
    .taken("a-_9", SessionClaim(boot: 7, number: 12)), .end("a-_9"),
  ])
  func `a notice is read as it was written`(_ notice: NodeNotice) throws {
    #expect(NodeNotice(try #require(notice.text)) == notice)
  }

  @Test(arguments: [
    "", "client", "client 12", "client zz", "client \(Credential(hashing: "a").hex) zz", "clients 1", "end", "end a 02",
    "later words",
  ])
  func `a text that is no notice is none`(_ text: String) { #expect(NodeNotice(text) == nil) }

  @Test func `is over for good when it ends, and no reader is told to ask again`() {
    let world = World()
    for _ in 0..<2 {
      world.tend()
      world.pass(.seconds(1))
    }
    world.presence.end()
    world.tend()
    #expect(!world.holds && world.beats == 2 && world.lapses.withLock { $0 } == 0)
  }

  @Test func `knows its own token, and no other text`() {
    let world = World()
    #expect(world.presence.isToken("token"))
    #expect(!world.presence.isToken("") && !world.presence.isToken("Token"))
  }
}
