// SPDX-License-Identifier: MIT
import StoreRules
import Storing
import Testing

@testable import EuripusNodes

@Suite struct `Sessions that are new to a database` {
  private let start = ContinuousClock.now
  private var new = NewSessions()

  private func change(_ id: String, isNew: Bool = false, claim: UInt64 = 1) -> StoreChange {
    StoreChange(id, SessionClaim(boot: 1, number: claim), isNew: isNew, .record(record(id)), number: 2)
  }

  private func lost(among ids: String...) -> [String] { ids.filter { new.hasLost(change($0)) } }

  @Test mutating func `are lost if they are not there when the connection is made anew, until they are put in again`() {
    new.note(
      [change("a", isNew: true), change("b", isNew: true), change("c"), change("d", isNew: true)],
      [.durable, .durable, .durable, .fenced], start)
    #expect(Set(new.doubtful) == ["a", "b"])
    #expect(lost(among: "a", "b", "c", "d") == [])
    new.found(["b"])
    #expect(lost(among: "a", "b", "c", "d") == ["a"])
    #expect(!new.hasLost(change("a", claim: 2)))
    // The connection ends once more.
    #expect(Set(new.doubtful) == ["a", "b"])
    new.found(["b"])
    #expect(lost(among: "a", "b") == ["a"])
    new.note([change("a", isNew: true)], [.durable], start)
    #expect(lost(among: "a", "b") == [])
    #expect(Set(new.doubtful) == ["a", "b"])
    // Another node has taken the session over.
    new.note([change("a")], [.fenced], start)
    #expect(new.doubtful == ["b"])
  }

  @Test mutating func `are there for good half a minute later, if the connection has not ended until then`() {
    new.note([change("a", isNew: true)], [.durable], start)
    new.note([], [], start + NewSessions.doubt - .seconds(1))
    #expect(new.doubtful == ["a"])
    new.note([change("b", isNew: true)], [.durable], start + NewSessions.doubt)
    #expect(new.doubtful == ["b"])
    new.found([])
    #expect(lost(among: "a", "b") == ["b"])
  }
}
