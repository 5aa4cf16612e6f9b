// SPDX-License-Identifier: MIT
import Testing

@testable import Storing

@Suite struct `The verdict on a change of a session that is not there` {
  private let record = StoreChange.Content.record(`The queue of changes`.record("a", 1))
  private let closed = StoreChange.Content.closed(
    ClosedSession(
      id: "a", model: "note", owner: Credential(hashing: "a"), opening: nil, closing: .byClient(nil), until: 1))

  private func verdict(_ content: StoreChange.Content, isNew: Bool = false, isLost: Bool = false) -> StoreVerdict {
    let change = StoreChange(
      "a", SessionClaim(boot: 1, number: 1), isNew: isNew, content, number: 9, since: isNew ? 0 : 8)
    return change.verdict(on: nil, isLost: isLost)
  }

  @Test func `is that it stays gone, but for one that is new`() {
    #expect(verdict(record) == .fenced && verdict(closed) == .fenced)
    #expect(verdict(record, isNew: true) == .isTaken && verdict(closed, isNew: true) == .isTaken)
  }

  @Test func `asks for all of one that the store has lost, and takes that and its end`() {
    #expect(verdict(record, isLost: true) == .isBehind)
    #expect(verdict(record, isNew: true, isLost: true) == .isTaken)
    #expect(verdict(closed, isLost: true) == .isTaken)
  }

  @Test func `is that the owner's wish is done to have it forgotten or put aside`() {
    for content in [StoreChange.Content.removed, .setAside(reason: "a test")] {
      for isLost in [false, true] { #expect(verdict(content, isLost: isLost) == .isDone) }
    }
  }
}
