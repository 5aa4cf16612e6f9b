// SPDX-License-Identifier: MIT
import Testing

@testable import Sessions
@testable import Storing

/// A memory of keys, with a clock that a test moves.
struct Driven {
  var memory: KeyMemory
  var now = ContinuousClock.now

  init(_ limits: KeyMemory.Limits = KeyMemory.Limits()) { memory = KeyMemory(limits: limits) }

  static func request(_ key: String, _ body: String = "") throws -> KeyedRequest {
    KeyedRequest(
      key: try #require(IdempotencyKey(key)),
      digest: Digest(method: "POST", path: ["actions", "add"], body: Array(body.utf8), key: nil))
  }

  static func answer(_ text: String) -> KeptAnswer { .other(form: 200, body: Array(text.utf8), version: nil) }

  mutating func answer(_ request: KeyedRequest, _ text: String) {
    memory.answer(request, Self.answer(text), now: now)
  }

  /// The memory's decision on a request, which is answered with `text` if it is new.
  mutating func send(_ key: String, _ body: String = "", answering text: String? = "done") throws
    -> KeyMemory.Decision
  {
    let request = try Self.request(key, body)
    let decision = memory.decision(on: request, now: now)
    if decision == .new { memory.remember(request, text.map(Self.answer), isAtWork: text == nil, now: now) }
    return decision
  }
}

@Suite struct `The memory of keys` {
  var driven = Driven()
  static let kinds = ["a", "tab/1"]
  static let long = String(repeating: "x", count: 3_000)

  @Test(arguments: kinds) mutating func `has a request that comes again wait while the first is at work`(
    key: String
  ) throws {
    #expect(try driven.send(key, answering: nil) == .new)
    #expect(try driven.send(key) == .atWork)
    #expect(try driven.send(key, "another") == .refused(.reused))
    // The answer to another request with the key is none to this one.
    driven.answer(try Driven.request(key, "another"), "another's")
    #expect(try driven.send(key) == .atWork)
    for answer in ["at last", "too late"] {
      driven.answer(try Driven.request(key), answer)
      #expect(try driven.send(key) == .answered(Driven.answer("at last")))
    }
  }

  @Test mutating func `expects the number from which a program goes on after a backup was restored`() throws {
    for number in 1...3 { #expect(try driven.send("tab/\(number)") == .new) }
    let backup = driven
    for number in 4...6 { #expect(try driven.send("tab/\(number)") == .new) }
    driven = backup
    #expect(try driven.send("tab/7", "next") == .refused(.outOfOrder(expected: 4)))
    #expect(try driven.send("tab/4", "next") == .new)
    #expect(try driven.send("tab/4", "next") == .answered(Driven.answer("done")))
    #expect(try driven.send("tab/5") == .new)
  }

  @Test mutating func `forgets no request that is at work, whatever comes and however long it takes`() throws {
    driven = Driven(KeyMemory.Limits(keys: 2, names: 1))
    for key in Self.kinds { #expect(try driven.send(key, answering: nil) == .new) }
    for key in ["b", "c", "d"] { #expect(try driven.send(key) == .new) }
    driven.now += .seconds(2 * 86_400)
    #expect(try driven.send("e") == .new)
    #expect(try driven.send("more/1") == .refused(.tooManyNames(limit: 1, retryAfter: .seconds(1))))
    for key in Self.kinds { #expect(try driven.send(key) == .atWork) }
  }

  @Test mutating func `remembers a request for a day from its answer on, as the youngest`() throws {
    driven = Driven(KeyMemory.Limits(keys: 2))
    #expect(try driven.send("a", answering: nil) == .new)
    for key in ["b", "c"] { #expect(try driven.send(key) == .new) }
    driven.now += .seconds(30)
    driven.answer(try Driven.request("a"), "at last")
    #expect(driven.memory.textCount == 2)
    #expect(try driven.send("c") == .answered(Driven.answer("done")))
    driven.now += .seconds(86_399)
    #expect(try driven.send("a") == .answered(Driven.answer("at last")))
    #expect(driven.memory.textCount == 1)
    driven.now += .seconds(1)
    #expect(try driven.send("a") == .new)
  }

  @Test(arguments: [64, 1_000])
  mutating func `knows as many names as it may, and forgets none that was used within a day`(most: Int) throws {
    driven = most == 1_000 ? Driven() : Driven(KeyMemory.Limits(names: most))
    for name in 1...most {
      #expect(try driven.send("n\(name)/1") == .new)
      driven.now += .seconds(1)
    }
    #expect(driven.memory.bytes <= 256 * 1_024)
    // The first name was used so many seconds ago.
    for (passed, left) in [(0, 86_400 - most + 1), (86_400 - most, 1)] {
      driven.now += .seconds(passed)
      #expect(try driven.send("more/1") == .refused(.tooManyNames(limit: most, retryAfter: .seconds(left))))
    }
    driven.now += .seconds(1)
    #expect(try driven.send("more/1") == .new)
    #expect(driven.memory.nameCount == most)
    #expect(try driven.send("n1/2") == .refused(.outOfOrder(expected: 1)))
    #expect(try driven.send("n2/2") == .new)
    // A name keeps its number for as long as no other one needs its place.
    driven.now += .seconds(10 * 86_400)
    #expect(try driven.send("n\(most)/1") == .answered(Driven.answer("done")))
  }

  @Test mutating func `gives up the oldest answers where they grow too long, and no decision`() throws {
    driven = Driven(KeyMemory.Limits(bytes: 10_000))
    for key in ["a", "tab/1", "b", "c"] {
      #expect(try driven.send(key, answering: Self.long) == .new)
      driven.now += .seconds(1)
      #expect(driven.memory.bytes <= 10_000)
    }
    #expect(try driven.send("a") == .decided)
    #expect(try driven.send("a", "another") == .refused(.reused))
    for key in ["tab/1", "b", "c"] { #expect(try driven.send(key) == .answered(Driven.answer(Self.long))) }
    #expect(try driven.send("d", answering: Self.long) == .new)
    #expect(try driven.send("tab/1") == .decided)
    #expect(try driven.send("tab/2") == .new)
  }

  @Test(arguments: kinds) mutating func `keeps no answer that is too long for it, and knows that it was decided`(
    key: String
  ) throws {
    driven = Driven(KeyMemory.Limits(bytes: 2_000))
    #expect(try driven.send(key, answering: Self.long) == .new)
    #expect(try driven.send(key) == .decided)
    #expect(driven.memory.bytes <= 2_000)
  }

  @Test(arguments: [5, 36, 255])
  mutating func `remembers 1,000 keys of any length, and forgets the oldest at one more`(length: Int) throws {
    func key(_ number: Int) -> String { String(repeating: "k", count: length - 4) + "\(number)" }
    for number in 1000...1999 { #expect(try driven.send(key(number)) == .new) }
    #expect(driven.memory.textCount == 1_000)
    #expect(try driven.send(key(1000)) != .new)
    #expect(try driven.send(key(2000)) == .new)
    #expect(driven.memory.bytes <= 256 * 1_024)
    #expect(try driven.send(key(1001)) != .new)
    #expect(try driven.send(key(1000)) == .new)
  }

  @Test(arguments: [5, 250])
  mutating func `knows no more names than fit, and forgets texts that do not fit beside them`(length: Int) throws {
    driven = Driven(KeyMemory.Limits(keys: 1_000, names: 1_000, bytes: 20 * KeyMemory.keyBytes))
    func name(_ number: Int) -> String { String(repeating: "n", count: length - 2) + "\(number)/1" }
    // Texts take three quarters of it at most.
    for key in 1...30 { #expect(try driven.send("text\(key)", answering: "") == .new) }
    #expect(driven.memory.textCount == 15)
    for number in 10...28 { #expect(try driven.send(name(number), answering: "") == .new) }
    #expect(driven.memory.textCount == 1 && driven.memory.nameCount == 19)
    #expect(driven.memory.bytes == 20 * KeyMemory.keyBytes)
    #expect(try driven.send("text30") != .new)
    #expect(try driven.send(name(29)) == .refused(.tooManyNames(limit: 19, retryAfter: .seconds(86_400 + 1))))
  }
}
