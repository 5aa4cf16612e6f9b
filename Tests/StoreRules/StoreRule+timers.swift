// SPDX-License-Identifier: MIT
import Storing
import Testing

/// The rules about sessions that have a timer.
extension StoreRule {
  static let ofTimers = [
    StoreRule("finds the sessions with a timer that is due, in the order of their times, piece by piece") {
      store throws in
      for (id, time) in [("d", 30), ("b", 20), ("a", 20), ("c", -5), ("e", 31), ("f", nil)] as [(String, Int64?)] {
        store.first.open(record(id, wakesAt: time))
      }
      var last: DueSession?
      var found: [String] = []
      for _ in 0..<3 {
        let page = try store.second.store.due(by: 30, after: last, limit: 2)
        found += page.map { "\($0.id) \($0.time)" }
        last = page.last ?? last
      }
      #expect(found == ["c -5", "a 20", "b 20", "d 30"])
      #expect(store.second.claim("d").record == record("d", wakesAt: 30))
    },
    StoreRule("finds one by its last timer alone, and not when it is closed") { store throws in
      func due(by time: Int64) throws -> [DueSession] { try store.first.store.due(by: time, after: nil, limit: 9) }
      let claim = store.first.open(record("a", wakesAt: 10))
      for time in [50, 40, nil, 1] as [Int64?] {
        #expect(store.first.commit(record("a", wakesAt: time), claim) == .durable)
        #expect(try due(by: 40).map(\.time) == (time.flatMap { $0 <= 40 ? [$0] : nil } ?? []))
      }
      // A change by a fenced owner leaves the timer due.
      let held = try #require(store.second.claim("a").claim)
      #expect(store.first.commit(record("a"), claim) == .fenced)
      #expect(try due(by: 40).map(\.id) == ["a"])
      #expect(store.second.commit("a", held, .closed(closed("a"))) == .durable)
      #expect(try due(by: .max) == [])
    },
    StoreRule("keeps a session that nobody uses until its timer is due") { store throws in
      for (id, time, used) in [("a", 9_000, 1), ("b", 7_999, 1), ("c", nil, 1), ("d", 9_000, -1), ("e", 1, 8)]
        as [(String, Int64?, Int64)]
      {
        store.first.open(record(id, used: used, wakesAt: time))
      }
      #expect(try store.first.store.expire(now: 1_000, unusedSince: 8, limit: 100).forgotten == 3)
      #expect(try store.first.store.list(after: nil, limit: 9).map(\.id) == ["a", "e"])
    },
  ]
}
