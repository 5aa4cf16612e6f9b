// SPDX-License-Identifier: MIT
import JSONPatching
import Testing
import ViewModels

@testable import Sessions

@Suite struct `A follower` {
  private let host = SessionHost.still([.hosting { Note() }])
  private let session: Session
  private let answers = Answers()

  init() throws { session = try host.open("note", as: nil).session }

  private func rename(_ name: JSON) throws {
    _ = try session.now { try $0.perform(["rename"], name, since: nil, ifMatch: nil) }
  }

  private func follow(_ id: Int, since: Version?) throws -> String {
    try text(session.now { [answers] in $0.follow(answers.waiter(id), since: since) })
  }

  private func next(_ id: Int) throws -> String {
    try text(session.now { [answers] in $0.next(for: answers.waiter(id)) })
  }

  @Test func `is handed a newer state at once, and else the next change, each time that it asks`() throws {
    let first = try session.now { $0.version }
    #expect(try follow(1, since: nil) == "changed to 1")
    #expect(try next(1) == "waits")
    #expect(try follow(2, since: first) == "waits")
    try rename("a")
    try rename("b")
    #expect(answers.all == ["1 changed to 2", "2 changed to 2"], "each is answered once, and again when it has asked")
    #expect(try next(1) == "changed to 3")
    #expect(try next(1) == "waits")
    try rename("c")
    #expect(answers.all == ["1 changed to 2", "2 changed to 2", "1 changed to 4"])
  }

  @Test func `that is away hears nothing, and is handed one patch for all that it missed`() throws {
    _ = try follow(1, since: nil)
    for name in ["a", "b", "c"] { try rename(.string(name)) }
    #expect(answers.all == [])
    let message = try #require(try session.now { $0.next(for: answers.waiter(1)) }?.message)
    let epoch = try session.now { $0.facts.epoch }
    let patch: JSON = [["op": "replace", "path": "/title", "value": "c"]]
    #expect(try message.value == ["from": .string("\(epoch).1"), "to": .string("\(epoch).4"), "patch": patch])
    #expect(try next(1) == "waits")
  }

  @Test func `counts as one that waits from its begin to its end, away or not`() throws {
    let first = try session.now { $0.version }
    _ = try follow(1, since: nil)
    for id in 2...4 { #expect(try follow(id, since: first) == "waits") }
    let poll = answers.waiter(5)
    #expect(try text(session.now { $0.poll(since: first, waiter: poll) }) == "waits")
    // The oldest reader is displaced, though it is at work on a frame.
    #expect(answers.all == ["1 displaced for 2"])
    #expect(try next(1) == "waits")
    try rename("a")
    #expect(answers.all.count == 5)
    #expect(answers.all.filter { $0.hasPrefix("1") } == ["1 displaced for 2"])
    // The poll has been answered, so its place is free, and no other.
    #expect(try follow(6, since: nil) == "changed to 2")
    #expect(answers.all.count == 5)
    #expect(try follow(7, since: nil) == "changed to 2")
    #expect(answers.all.last == "2 displaced for 2")
  }

  @Test func `that ends leaves its place and is not answered`() throws {
    let first = try session.now { $0.version }
    for id in 1...4 { _ = try follow(id, since: first) }
    try session.now { $0.endWait(answers.waiter(2), nil) }
    #expect(try follow(5, since: first) == "waits")
    try rename("a")
    #expect(answers.all.sorted() == [1, 3, 4, 5].map { "\($0) changed to 2" })
  }

  @Test func `is told that the session is closed, away or not, and before it begins`() throws {
    _ = try follow(1, since: nil)
    _ = try follow(2, since: try session.now { $0.version })
    host.close(session)
    #expect(answers.all == ["1 closed", "2 closed"])
    #expect(try next(1) == "waits")
    #expect(try follow(3, since: nil) == "closed")
  }

  @Test func `keeps its session from expiring, and no longer than it follows`() throws {
    let clock = ManualClock()
    let host = SessionHost([.hosting { Note() }], now: { clock.now })
    let session = try host.open("note", as: nil).session
    _ = try session.now { [answers] in $0.follow(answers.waiter(1), since: nil) }
    clock.advance(by: .seconds(60 * 60))
    host.expire()
    #expect(host.count == 1)
    try session.now { $0.endWait(answers.waiter(1), nil) }
    clock.advance(by: .seconds(60 * 60))
    host.expire()
    #expect(host.count == 0)
  }
}
