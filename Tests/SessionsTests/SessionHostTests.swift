// SPDX-License-Identifier: MIT
import Locking
import ObservableCore
import Seeded
import Testing
import ViewModels

@testable import Sessions
@testable import Storing

@Suite struct `A host` {
  private let clock = ManualClock()

  private func host(_ set: (inout SessionConfiguration) -> Void = { _ in }) -> SessionHost {
    SessionHost([.hosting { Note() }], configuration: .with(set), now: { clock.now })
  }

  /// Lets these seconds pass at once.
  private func pass(_ seconds: Int, _ host: SessionHost) {
    clock.advance(by: .seconds(seconds))
    host.expire()
  }

  @Test func `finds a session for its owner alone, living or closed`() throws {
    let host = host()
    let (mine, other) = (try host.open("note", as: nil), try host.open("note", as: nil))
    let id = mine.session.id
    #expect(try host.find("note", id, as: mine.credential).text == "session")
    #expect(try host.find("note", id, as: other.credential).text == "none")
    #expect(try host.find("note", id, as: nil).text == "none")
    #expect(try host.find("other", id, as: mine.credential).text == "none")
    #expect(try host.find("note", "nope", as: mine.credential).text == "none")
    host.close(mine.session)
    #expect(try host.find("note", id, as: mine.credential).text == "closed")
    #expect(try host.find("note", id, as: other.credential).text == "none")
    #expect(host.count == 1)
  }

  @Test func `adopts no key that it does not know, and goes on with one that it does`() throws {
    let (host, foreign) = (host(), "a-key-from-elsewhere")
    let stranger = try host.open("note", as: credential(foreign))
    #expect(stranger.newKey != nil && stranger.newKey != foreign)
    #expect(try host.find("note", stranger.session.id, as: credential(foreign)).text == "none")
    let again = try host.open("note", as: stranger.credential)
    #expect(again.newKey == nil)
    #expect(try host.find("note", again.session.id, as: stranger.credential).text == "session")
  }

  @Test func `remembers a closed session for a day, and the key of its owner`() throws {
    let host = host()
    let first = try host.open("note", as: nil)
    host.close(first.session)
    let second = try host.open("note", as: first.credential)
    #expect(second.newKey == nil)
    pass(24 * 3_600 - 1, host)
    #expect(try host.find("note", first.session.id, as: first.credential).text == "closed")
    // The second one has ended meanwhile, and the client is known by the closed one alone.
    #expect(host.count == 0)
    #expect(try host.open("note", as: first.credential).newKey == nil)
    pass(2, host)
    #expect(try host.find("note", first.session.id, as: first.credential).text == "none")
    pass(3_600, host)
    #expect(try host.open("note", as: first.credential).newKey != nil)
  }

  @Test func `keys have 256 bits, handles 128, epochs are fresh`() throws {
    let host = host()
    let opened = try (0..<100).map { _ in try host.open("note", as: nil) }
    #expect(
      opened.allSatisfy {
        $0.newKey?.utf8.count == 43 && $0.session.id.utf8.count == 22 && $0.session.facts.epoch.utf8.count == 8
      })
    #expect(Set(opened.map(\.newKey)).count == 100)
    #expect(Set(opened.map(\.session.id)).count == 100)
    #expect(Set(opened.map(\.session.facts.epoch)).count > 90)
  }

  @Test func `refuses a session beyond the limit and a view model that there is not`() throws {
    let host = host { $0.maxSessions = 2 }
    let first = try host.open("note", as: nil)
    _ = try host.open("note", as: nil)
    #expect(throws: SessionError.self) { try host.open("note", as: nil) }
    host.close(first.session)
    _ = try host.open("note", as: nil)
    #expect(throws: SessionError.self) { try host.open("nope", as: nil) }
  }

  @Test func `ends a session after its idle time, not before, and not while a poll waits`() throws {
    let host = host { $0.idleTime = .seconds(60) }
    let opened = try (0..<3).map { _ in try host.open("note", as: nil) }
    let (used, polled) = (opened[1].session, opened[2].session)
    func found() throws -> [String] {
      try opened.map { try host.find("note", $0.session.id, as: $0.credential).text }
    }
    let answers = Answers()
    _ = try polled.now { $0.poll(since: $0.version, waiter: answers.waiter(1)) }
    pass(59, host)
    #expect(host.count == 3)
    used.submit { [now = clock.now] in $0.touch(now) }
    pass(2, host)
    #expect(try found() == ["none", "session", "session"])
    pass(59, host)
    #expect(host.count == 1)
    polled.submit { [now = clock.now] in
      $0.endWait(answers.waiter(1), nil)
      $0.touch(now)
    }
    pass(59, host)
    #expect(host.count == 1)
    pass(62, host)
    #expect(host.count == 0)
    #expect(answers.all == [])
  }

  @Test func `drops the view model of a closed session, though it captures itself and the session is held`() throws {
    let host = SessionHost.still([.hosting { Leaky() }])
    let opened = try host.open("leaky", as: nil)
    try opened.session.now { _ = try $0.perform(["more"], nil, since: nil, ifMatch: nil) }
    #expect(Leaky.handlers.withLock { $0 } == 1)
    host.close(opened.session)
    #expect(Leaky.handlers.withLock { $0 } == 0)
    withExtendedLifetime(opened) {}
  }

  @Test func `opens one session for two requests with one key that come at the same time`() throws {
    let request = KeyedRequest(key: .text("a"), digest: Digest(method: "POST", path: [], body: [], key: nil))
    let (inner, meanwhile) = (Locked<Session?>(nil), Locked<(@Sendable () throws -> Session)?>(nil))
    let host = SessionHost.still([
      .hosting {
        let open = meanwhile.withLock { meanwhile in
          defer { meanwhile = nil }
          return meanwhile
        }
        if let session = try open?() { inner.withLock { $0 = session } }
        return Note()
      }
    ])
    let owner = try host.open("note", as: nil).credential
    // While the host makes the first request's session, the second request comes and is answered.
    meanwhile.withLock { $0 = { try host.open("note", as: owner, request).session } }
    let outer = try host.open("note", as: owner, request)
    #expect(outer.session === inner.withLock { $0 })
    #expect(outer.newKey == nil)
    #expect(host.count == 2)
  }
}

/// A view model whose closures capture it. `handlers` counts the closures that are alive.
final class Leaky: ViewModel {
  static let handlers = Locked(0)
  final class Counted {
    init() { Leaky.handlers.withLock { $0 += 1 } }
    deinit { Leaky.handlers.withLock { $0 -= 1 } }
  }
  let count = Observable(0)
  let more = Observer<Void>()
  init() {
    let counted = Counted()
    more.handle { withExtendedLifetime(counted) { self.count.value += 1 } }
  }
  static let surface = Surface<Leaky>("leaky", .value("count", \.count), .action("more", \.more))
}

@Suite struct `An expiry wheel` {
  @Test func `gives each element once, at its second, however far ahead that is`() {
    let seed: UInt64 = 1_999
    var generator = SeededGenerator(seed: seed)
    var wheel = ExpiryWheel<Int>(size: 16, now: 100)
    var due: [Int: Int] = [:]
    var now = 100
    for element in 0..<2_000 {
      let second = now + Int.random(in: 0...60, using: &generator)
      wheel.insert(element, due: second)
      due[element] = max(second, now + 1)
      guard Bool.random(using: &generator) else { continue }
      now += Int.random(in: 0...40, using: &generator)
      let taken = wheel.advance(to: now)
      #expect(Set(taken) == Set(due.filter { $0.value <= now }.keys), "seed \(seed) element \(element)")
      #expect(Set(taken).count == taken.count)
      for element in taken { due[element] = nil }
    }
  }
}

@Suite struct `A version` {
  @Test(arguments: ["k7q2mzx4.1", "a.18446744073709551615", "0123456789abcdef.12"])
  func `is read back as it was written`(text: String) {
    #expect(Version(text)?.description == text)
  }

  @Test(
    arguments: [
      "", ".", "1", "a.", ".1", "a.0", "a.01", "a.-1", "a.+1", "A.1", "a.1 ", " a.1", "a.1.2", "\"a.1\"",
      "a.18446744073709551616", "a.99999999999999999999", "0123456789abcdefg.1", "é.1", "a.１",
    ])
  func `is of one form only`(text: String) {
    #expect(Version(text) == nil)
    #expect(Version("<\(text)>".dropFirst().dropLast()) == nil)
  }
}
