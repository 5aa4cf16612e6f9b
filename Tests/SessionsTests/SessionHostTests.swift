// SPDX-License-Identifier: MIT
import Locking
import ObservableCore
import Seeded
import Testing
import ViewModels

@testable import Sessions

@Suite struct `A host` {
  static func isFound(_ found: SessionHost.Found) -> String {
    switch found {
    case .session: "session"
    case .refused: "refused"
    case .closed(.superseded): "superseded"
    case .closed(.ended): "ended"
    case .closed: "closed"
    case .none: "none"
    }
  }

  @Test func `finds a session for its owner alone, and closed only for the owner who closed it`() throws {
    let host = SessionHost([.hosting { Note() }])
    let mine = try host.open("note", as: nil)
    let other = try host.open("note", as: nil)
    let id = mine.session.id
    #expect(try Self.isFound(host.find("note", id, as: credential(mine.newKey))) == "session")
    #expect(try Self.isFound(host.find("note", id, as: credential(other.newKey))) == "none")
    #expect(try Self.isFound(host.find("note", id, as: nil)) == "none")
    #expect(try Self.isFound(host.find("other", id, as: credential(mine.newKey))) == "none")
    #expect(try Self.isFound(host.find("note", "nope", as: credential(mine.newKey))) == "none")
    host.close(mine.session)
    #expect(try Self.isFound(host.find("note", id, as: credential(mine.newKey))) == "closed")
    #expect(try Self.isFound(host.find("note", id, as: credential(other.newKey))) == "none")
    #expect(host.count == 1)
  }

  @Test func `adopts no key that it does not know, and goes on with one that it does`() throws {
    let host = SessionHost([.hosting { Note() }])
    let stranger = try host.open("note", as: credential("a-key-from-elsewhere"))
    #expect(stranger.newKey != nil)
    #expect(stranger.newKey != "a-key-from-elsewhere")
    #expect(try Self.isFound(host.find("note", stranger.session.id, as: credential("a-key-from-elsewhere"))) == "none")
    let again = try host.open("note", as: credential(stranger.newKey))
    #expect(again.newKey == nil)
    #expect(try Self.isFound(host.find("note", again.session.id, as: credential(stranger.newKey))) == "session")
  }

  @Test func `the owner of a closed session keeps their key when they open another`() throws {
    let clock = ManualClock()
    let host = SessionHost([.hosting { Note() }], now: { clock.now })
    let first = try host.open("note", as: nil)
    host.close(first.session)
    let second = try host.open("note", as: credential(first.newKey))
    #expect(second.newKey == nil)
    #expect(try Self.isFound(host.find("note", first.session.id, as: credential(first.newKey))) == "closed")
    host.close(second.session)
    clock.advance(by: .seconds(25 * 3_600))
    host.expire()
    #expect(try host.open("note", as: credential(first.newKey)).newKey != nil)
  }

  @Test func `keys have 256 bits, handles 128, epochs are fresh`() throws {
    let host = SessionHost([.hosting { Note() }])
    let opened = try (0..<100).map { _ in try host.open("note", as: nil) }
    #expect(
      opened.allSatisfy {
        $0.newKey?.utf8.count == 43 && $0.session.id.utf8.count == 22 && $0.session.epoch.utf8.count == 8
      })
    #expect(Set(opened.map(\.newKey)).count == 100)
    #expect(Set(opened.map(\.session.id)).count == 100)
    #expect(Set(opened.map(\.session.epoch)).count > 90)
  }

  @Test func `refuses a session beyond the limit and a view model that there is not`() throws {
    var configuration = SessionConfiguration()
    configuration.maxSessions = 2
    let host = SessionHost([.hosting { Note() }], configuration: configuration)
    let first = try host.open("note", as: nil)
    _ = try host.open("note", as: nil)
    #expect(throws: SessionError.self) { try host.open("note", as: nil) }
    host.close(first.session)
    _ = try host.open("note", as: nil)
    #expect(throws: SessionError.self) { try host.open("nope", as: nil) }
  }

  @Test func `a session ends when nobody used it for the idle time, not before, and not while a poll waits`() throws {
    let clock = ManualClock()
    var configuration = SessionConfiguration()
    configuration.idleTime = .seconds(60)
    let host = SessionHost([.hosting { Note() }], configuration: configuration, now: { clock.now })
    let idle = try host.open("note", as: nil)
    let used = try host.open("note", as: nil)
    let polled = try host.open("note", as: nil)
    let answers = Answers()
    _ = try polled.session.now { $0.poll(since: $0.version, waiter: answers.waiter(1)) }

    clock.advance(by: .seconds(59))
    host.expire()
    #expect(host.count == 3)
    used.session.submit { [now = clock.now] in $0.touch(now) }

    clock.advance(by: .seconds(2))
    host.expire()
    #expect(try Self.isFound(host.find("note", idle.session.id, as: credential(idle.newKey))) == "none")
    #expect(try Self.isFound(host.find("note", used.session.id, as: credential(used.newKey))) == "session")
    #expect(try Self.isFound(host.find("note", polled.session.id, as: credential(polled.newKey))) == "session")

    clock.advance(by: .seconds(59))
    host.expire()
    #expect(host.count == 1)
    polled.session.submit { [now = clock.now] in
      $0.endWait(answers.waiter(1), nil)
      $0.touch(now)
    }
    clock.advance(by: .seconds(59))
    host.expire()
    #expect(host.count == 1)
    clock.advance(by: .seconds(62))
    host.expire()
    #expect(host.count == 0)
    #expect(answers.all == [])
  }

  @Test func `a closed session is remembered for 24 hours`() throws {
    let clock = ManualClock()
    let host = SessionHost([.hosting { Note() }], now: { clock.now })
    let opened = try host.open("note", as: nil)
    host.close(opened.session)
    clock.advance(by: .seconds(24 * 3_600 - 1))
    host.expire()
    #expect(try Self.isFound(host.find("note", opened.session.id, as: credential(opened.newKey))) == "closed")
    clock.advance(by: .seconds(2))
    host.expire()
    #expect(try Self.isFound(host.find("note", opened.session.id, as: credential(opened.newKey))) == "none")
  }

  @Test func `a closed session has dropped its view model, though that captures itself and the session is still held`()
    throws
  {
    let host = SessionHost([.hosting { Leaky() }])
    let opened = try host.open("leaky", as: nil)
    try opened.session.now { _ = try $0.perform(["more"], nil, since: nil, ifMatch: nil) }
    let handlers = Leaky.handlers.withLock { $0 }
    #expect(handlers == 1)
    host.close(opened.session)
    #expect(Leaky.handlers.withLock { $0 } == 0)
    withExtendedLifetime(opened) {}
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

func credential(_ key: String?) -> Credential? { key.map { Credential(hashing: $0) } }

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

  @Test func `two requests with one key that open a session at the same time open one`() throws {
    final class Late: Sendable {
      let host = Locked<SessionHost?>(nil)
      let owner = Locked<Credential?>(nil)
      let inner = Locked<Session?>(nil)
    }
    let late = Late()
    let request = KeyedRequest(key: .text("a"), digest: Digest(method: "POST", path: [], body: [], key: nil))
    let host = SessionHost([
      .hosting {
        // While the host makes the first request's session, the second request comes and is answered.
        let owner = late.owner.withLock { owner in
          defer { owner = nil }
          return owner
        }
        if let owner, let host = late.host.withLock({ $0 }) {
          let opened = try host.open("note", as: owner, request)
          late.inner.withLock { $0 = opened.session }
        }
        return Note()
      }
    ])
    let key = try #require(try host.open("note", as: nil).newKey)
    late.host.withLock { $0 = host }
    late.owner.withLock { $0 = Credential(hashing: key) }
    let outer = try host.open("note", as: Credential(hashing: key), request)
    #expect(outer.session === late.inner.withLock { $0 })
    #expect(outer.newKey == nil)
    #expect(host.count == 2)
    late.host.withLock { $0 = nil }
  }

  @Test func `a client's sessions are counted while they live`() throws {
    var configuration = SessionConfiguration()
    configuration.maxSessionsPerClient = 2
    configuration.idleTime = .seconds(10)
    let clock = ManualClock()
    let host = SessionHost([.hosting { Note() }], configuration: configuration, now: { clock.now })
    let owner = Credential(hashing: try #require(try host.open("note", as: nil).newKey))
    let second = try host.open("note", as: owner).session
    host.close(second)
    _ = try host.open("note", as: owner)
    #expect(host.count == 2)
    clock.advance(by: .seconds(11))
    host.expire()
    #expect(host.count == 0)
    // The host remembers the closed session, and its owner with it.
    #expect(try host.open("note", as: owner).newKey == nil)
  }
}
