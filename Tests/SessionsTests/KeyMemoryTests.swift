// SPDX-License-Identifier: MIT
import Testing

@testable import Sessions

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

  /// The memory's decision on a request, which is answered with `text` if it is new.
  mutating func send(_ key: String, _ body: String = "", answering text: String? = "done") throws
    -> KeyMemory.Decision
  {
    let request = try Self.request(key, body)
    let decision = memory.decision(on: request, now: now)
    if decision == .new { memory.remember(request, text.map(Self.answer), now: now) }
    return decision
  }
}

@Suite struct `The memory of keys` {
  var driven = Driven()

  @Test mutating func `answers a request that comes again as the first time`() throws {
    for key in ["a", "tab/1"] {
      #expect(try driven.send(key) == .new)
      #expect(try driven.send(key) == .answered(Driven.answer("done")))
    }
  }

  @Test mutating func `refuses another request under the same key, and keeps the first`() throws {
    for key in ["a", "tab/1"] {
      #expect(try driven.send(key, "1") == .new)
      #expect(try driven.send(key, "2") == .refused(.reused))
      #expect(try driven.send(key, "1") == .answered(Driven.answer("done")))
    }
  }

  @Test mutating func `counts a name from 1, one by one`() throws {
    #expect(try driven.send("tab/2") == .refused(.outOfOrder(expected: 1)))
    for number in 1...3 { #expect(try driven.send("tab/\(number)") == .new) }
    #expect(try driven.send("tab/5") == .refused(.outOfOrder(expected: 4)))
    #expect(try driven.send("tab/4") == .new)
  }

  @Test mutating func `knows of a number before the last that it was decided, and no more`() throws {
    for number in 1...3 { #expect(try driven.send("tab/\(number)", "\(number)") == .new) }
    #expect(try driven.send("tab/1", "1") == .decided)
    #expect(try driven.send("tab/1", "another") == .decided)
    #expect(try driven.send("tab/3", "3") == .answered(Driven.answer("done")))
  }

  @Test mutating func `has whoever sends a request again wait while the first is at work`() throws {
    for key in ["a", "tab/1"] {
      #expect(try driven.send(key, answering: nil) == .new)
      #expect(try driven.send(key) == .atWork)
      #expect(try driven.send(key, "another") == .refused(.reused))
      let request = try Driven.request(key)
      driven.memory.answer(request, Driven.answer("at last"), now: driven.now)
      #expect(try driven.send(key) == .answered(Driven.answer("at last")))
      driven.memory.answer(request, Driven.answer("too late"), now: driven.now)
      #expect(try driven.send(key) == .answered(Driven.answer("at last")))
    }
  }

  @Test mutating func `goes on counting while a request is at work, whose answer then is nobody's`() throws {
    #expect(try driven.send("tab/1", answering: nil) == .new)
    #expect(try driven.send("tab/2") == .new)
    driven.memory.answer(try Driven.request("tab/1"), Driven.answer("late"), now: driven.now)
    #expect(try driven.send("tab/2") == .answered(Driven.answer("done")))
    #expect(try driven.send("tab/1") == .decided)
  }

  @Test mutating func `forgets the oldest text beyond the limit, and none before`() throws {
    driven = Driven(KeyMemory.Limits(keys: 3))
    for key in ["a", "b", "c"] { #expect(try driven.send(key) == .new) }
    #expect(try driven.send("a") == .answered(Driven.answer("done")))
    #expect(try driven.send("d") == .new)
    #expect(try driven.send("b") == .answered(Driven.answer("done")))
    #expect(try driven.send("a") == .new)
    #expect(driven.memory.textCount == 3)
  }

  @Test mutating func `forgets no request that is at work, whatever comes and however long it takes`() throws {
    driven = Driven(KeyMemory.Limits(keys: 2, names: 1))
    for key in ["a", "tab/1"] { #expect(try driven.send(key, answering: nil) == .new) }
    for key in ["b", "c", "d"] { #expect(try driven.send(key) == .new) }
    driven.now += .seconds(2 * 86_400)
    #expect(try driven.send("e") == .new)
    #expect(try driven.send("more/1") == .refused(.tooManyNames(limit: 1, retryAfter: .seconds(1))))
    for key in ["a", "tab/1"] { #expect(try driven.send(key) == .atWork) }
  }

  @Test mutating func `gives an answer to the request that it is of, and to no other with its key`() throws {
    for key in ["a", "tab/1"] {
      #expect(try driven.send(key, "1", answering: nil) == .new)
      driven.memory.answer(try Driven.request(key, "2"), Driven.answer("another's"), now: driven.now)
      #expect(try driven.send(key, "1") == .atWork)
      driven.memory.answer(try Driven.request(key, "1"), Driven.answer("its own"), now: driven.now)
      #expect(try driven.send(key, "1") == .answered(Driven.answer("its own")))
    }
  }

  @Test mutating func `remembers a request for a day from its answer on, as the youngest`() throws {
    driven = Driven(KeyMemory.Limits(keys: 2))
    #expect(try driven.send("a", answering: nil) == .new)
    for key in ["b", "c"] { #expect(try driven.send(key) == .new) }
    driven.now += .seconds(30)
    driven.memory.answer(try Driven.request("a"), Driven.answer("at last"), now: driven.now)
    #expect(driven.memory.textCount == 2)
    #expect(try driven.send("c") == .answered(Driven.answer("done")))
    driven.now += .seconds(86_399)
    #expect(try driven.send("a") == .answered(Driven.answer("at last")))
    #expect(driven.memory.textCount == 1)
    driven.now += .seconds(1)
    #expect(try driven.send("a") == .new)
  }

  @Test mutating func `forgets a text after a day, and not a second before`() throws {
    #expect(try driven.send("a") == .new)
    driven.now += .seconds(86_399)
    #expect(try driven.send("a") == .answered(Driven.answer("done")))
    driven.now += .seconds(1)
    #expect(try driven.send("a") == .new)
    #expect(driven.memory.textCount == 1)
  }

  @Test mutating func `knows 1,000 names, and not one more`() throws {
    for name in 1...1_000 { #expect(try driven.send("n\(name)/1") == .new) }
    let refused = try driven.send("more/1")
    #expect(refused == .refused(.tooManyNames(limit: 1_000, retryAfter: .seconds(86_400 + 1))))
    #expect(driven.memory.bytes <= 256 * 1_024)
    for name in 1...1_000 {
      #expect(try driven.send("n\(name)/2", answering: String(repeating: "x", count: 500)) == .new)
    }
    #expect(driven.memory.bytes <= 256 * 1_024)
    #expect(driven.memory.nameCount == 1_000)
  }

  @Test mutating func `knows as many names as it may, and forgets none that was used within a day`() throws {
    driven = Driven(KeyMemory.Limits(names: 64))
    for name in 1...64 {
      #expect(try driven.send("n\(name)/1") == .new)
      driven.now += .seconds(1)
    }
    // The first name was used 64 s ago.
    #expect(try driven.send("more/1") == .refused(.tooManyNames(limit: 64, retryAfter: .seconds(86_400 - 64 + 1))))
    driven.now += .seconds(86_400 - 64)
    #expect(try driven.send("more/1") == .refused(.tooManyNames(limit: 64, retryAfter: .seconds(1))))
    driven.now += .seconds(1)
    #expect(try driven.send("more/1") == .new)
    #expect(driven.memory.nameCount == 64)
    #expect(try driven.send("n1/2") == .refused(.outOfOrder(expected: 1)))
    #expect(try driven.send("n2/2") == .new)
  }

  @Test mutating func `keeps a name's number for as long as nobody needs its place`() throws {
    #expect(try driven.send("tab/1") == .new)
    driven.now += .seconds(10 * 86_400)
    #expect(try driven.send("tab/1") == .answered(Driven.answer("done")))
    #expect(try driven.send("tab/2") == .new)
  }

  @Test mutating func `gives up the oldest answers where they grow too long, and none of what it is decided by`() throws
  {
    driven = Driven(KeyMemory.Limits(bytes: 10_000))
    let long = String(repeating: "x", count: 3_000)
    for key in ["a", "tab/1", "b", "c"] {
      #expect(try driven.send(key, answering: long) == .new)
      driven.now += .seconds(1)
      #expect(driven.memory.bytes <= 10_000)
    }
    #expect(try driven.send("a") == .decided)
    #expect(try driven.send("a", "another") == .refused(.reused))
    for key in ["tab/1", "b", "c"] { #expect(try driven.send(key) == .answered(Driven.answer(long))) }
    #expect(try driven.send("d", answering: long) == .new)
    #expect(try driven.send("tab/1") == .decided)
    #expect(try driven.send("tab/2") == .new)
  }

  @Test mutating func `keeps no answer that is too long for it, and knows that it was decided`() throws {
    driven = Driven(KeyMemory.Limits(bytes: 10_000))
    for key in ["a", "tab/1"] {
      #expect(try driven.send(key, answering: String(repeating: "x", count: 20_000)) == .new)
      #expect(try driven.send(key) == .decided)
    }
    #expect(driven.memory.bytes <= 10_000)
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
    for key in 1...15 { #expect(try driven.send("text\(key)", answering: "") == .new) }
    #expect(driven.memory.textCount == 15)
    for number in 10...28 { #expect(try driven.send(name(number), answering: "") == .new) }
    #expect(driven.memory.textCount == 1 && driven.memory.nameCount == 19)
    #expect(driven.memory.bytes == 20 * KeyMemory.keyBytes)
    #expect(try driven.send("text15") != .new)
    #expect(try driven.send(name(29)) == .refused(.tooManyNames(limit: 19, retryAfter: .seconds(86_400 + 1))))
  }

  @Test mutating func `forgets texts that take three quarters of it`() throws {
    driven = Driven(KeyMemory.Limits(bytes: 4_000))
    for key in 1...100 { #expect(try driven.send("\(String(repeating: "k", count: 200))\(key)") == .new) }
    #expect(driven.memory.bytes <= 4_000)
    #expect(driven.memory.textCount == 3_000 / KeyMemory.keyBytes)
    #expect(try driven.send("\(String(repeating: "k", count: 200))100") == .answered(Driven.answer("done")))
  }
}
