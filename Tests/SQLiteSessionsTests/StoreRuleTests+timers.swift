// SPDX-License-Identifier: MIT
import Sessions
import Testing

/// The rules of a store about sessions that have a timer.
extension `A store of sessions` {
  private func timed(_ id: String, _ time: Int64?, used: Int64 = 1_000) -> SessionRecord {
    var record = record(id, used: used)
    record.wakesAt = time
    return record
  }

  @Test(arguments: StoreKind.allCases)
  func `finds the sessions whose timer is due, in the order of their times, piece by piece`(
    _ kind: StoreKind
  ) throws {
    let world = try World(kind)
    for (id, time) in [("d", 30), ("b", 20), ("a", 20), ("c", -5), ("e", 31), ("f", nil)] as [(String, Int64?)] {
      _ = world.opened(timed(id, time))
    }
    var last: DueSession?
    var found: [String] = []
    for _ in 0..<3 {
      let page = try world.second.store.due(by: 30, after: last, limit: 2)
      found += page.map { "\($0.id) \($0.time)" }
      last = page.last ?? last
    }
    #expect(found == ["c -5", "a 20", "b 20", "d 30"])
    #expect(world.second.store.claim("d", world.second.newClaim()).record == timed("d", 30))
  }

  @Test(arguments: StoreKind.allCases) func `finds one by its last timer alone, and not when it is closed`(
    _ kind: StoreKind
  ) throws {
    let world = try World(kind)
    let claim = world.opened(timed("a", 10))
    for time in [50, 40, nil] as [Int64?] {
      #expect(world.first.store.commit(world.first.change("a", claim, .record(timed("a", time)))) == [.durable])
      #expect(try world.first.store.due(by: 40, after: nil, limit: 9).map(\.time) == (time == 40 ? [40] : []))
    }
    #expect(world.first.store.commit(world.first.change("a", claim, .record(timed("a", 1)))) == [.durable])
    // A change by a fenced owner leaves the timer due.
    let later = world.second.newClaim()
    let held = world.second.store.claim("a", later).claim
    #expect(world.first.store.commit(world.first.change("a", claim, .record(timed("a", nil)))) == [.fenced])
    #expect(try world.first.store.due(by: 40, after: nil, limit: 9).map(\.id) == ["a"])
    let closing = world.second.change("a", try #require(held), .closed(closed("a")))
    #expect(world.second.store.commit(closing) == [.durable])
    #expect(try world.first.store.due(by: .max, after: nil, limit: 9) == [])
  }

  @Test(arguments: StoreKind.allCases) func `keeps a session that nobody uses until its timer is due`(
    _ kind: StoreKind
  ) throws {
    let world = try World(kind)
    for (id, time, used) in [("a", 9_000, 1), ("b", 7_999, 1), ("c", nil, 1), ("d", 9_000, -1), ("e", 1, 8)]
      as [(String, Int64?, Int64)]
    {
      _ = world.opened(timed(id, time, used: used))
    }
    #expect(try world.first.store.expire(now: 1_000, unusedSince: 8, limit: 100).forgotten == 3)
    #expect(try world.first.store.list(after: nil, limit: 9).map(\.id) == ["a", "e"])
  }
}
