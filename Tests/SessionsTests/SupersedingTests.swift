// SPDX-License-Identifier: MIT
import Dispatch
import Locking
import Testing
import ViewModels

@testable import Sessions

/// A client that opens one session after another.
struct Browser {
  let host: SessionHost
  let key: String
  let first: Session

  init(_ host: SessionHost) throws {
    self.host = host
    let opened = try host.open("note", as: nil)
    (key, first) = (opened.newKey ?? "", opened.session)
    _ = try find(first)
  }

  /// Opens a session and uses it, as a page does.
  func open(_ request: KeyedRequest? = nil) throws -> Session {
    let session = try host.open("note", as: Credential(hashing: key), request).session
    _ = try find(session)
    return session
  }

  /// Looks for a session as a request does. Returns the outcome as text, such as `superseded`.
  @discardableResult
  func find(_ session: Session) throws -> String {
    `A host`.isFound(try host.find("note", session.id, as: Credential(hashing: key)))
  }
}

@Suite(.timeLimit(.minutes(5))) struct `A client that opens one session too many` {
  private let clock = ManualClock()

  private func host(
    _ most: Int, _ types: [HostedModelType] = [.hosting { Note() }],
    _ set: (inout SessionConfiguration) -> Void = { _ in }
  ) -> SessionHost {
    var configuration = SessionConfiguration.unhurried
    configuration.maxSessionsPerClient = most
    configuration.openingRate = nil
    set(&configuration)
    return SessionHost(types, configuration: configuration, now: { clock.now })
  }

  @Test func `gets it, and the one ends that no request has found for longest`() throws {
    let host = host(3)
    let browser = try Browser(host)
    let sessions = [browser.first, try browser.open(), try browser.open()]
    try browser.find(sessions[0])
    let fourth = try browser.open()
    #expect(host.count == 3)
    #expect(try sessions.map(browser.find) == ["session", "superseded", "session"])
    #expect(try browser.find(fourth) == "session")
    // The sessions of another client stay.
    let other = try Browser(host)
    _ = try browser.open()
    #expect(try other.find(other.first) == "session")
    #expect(try sessions.map(browser.find) == ["superseded", "superseded", "session"])
  }

  @Test func `keeps those in which a reader waits, and is refused where that is each of them`() throws {
    let host = host(2)
    let browser = try Browser(host)
    let (first, second) = (browser.first, try browser.open())
    let answers = Answers()
    _ = try first.now { $0.poll(since: $0.version, waiter: answers.waiter(1)) }
    let third = try browser.open()
    #expect(try [first, second, third].map(browser.find) == ["session", "superseded", "session"])
    _ = try third.now { $0.follow(answers.waiter(2), since: $0.version) }
    do {
      _ = try browser.open()
      Issue.record("a session is open beyond the limit")
    } catch { #expect("\(error)".contains("expected it to close one first")) }
    #expect(answers.all == [])
    try first.now { $0.endWait(answers.waiter(1), .unchanged) }
    _ = try browser.open()
    #expect(try browser.find(first) == "superseded")
  }

  @Test func `ends as many as are too many, and no session twice, while another one is being made`() throws {
    final class Late: Sendable {
      let inner = Locked<(@Sendable () throws -> Void)?>(nil)
    }
    let late = Late()
    let host = host(
      2,
      [
        .hosting {
          let inner = late.inner.withLock { inner in
            defer { inner = nil }
            return inner
          }
          try inner?()
          return Note()
        }
      ])
    let browser = try Browser(host)
    let (first, second) = (browser.first, try browser.open())
    let inner = Locked<Session?>(nil)
    // While the host makes the third session, a request opens the fourth.
    late.inner.withLock {
      $0 = {
        let session = try browser.open()
        inner.withLock { $0 = session }
      }
    }
    let outer = try browser.open()
    let fourth = try #require(inner.withLock { $0 })
    #expect(host.count == 2)
    #expect(
      try [first, second, fourth, outer].map(browser.find) == ["superseded", "superseded", "session", "session"])
  }

  @Test func `has as many as it may, however many threads open them`() throws {
    let host = host(4)
    let browser = try Browser(host)
    DispatchQueue.concurrentPerform(iterations: 64) { _ in _ = try? browser.open() }
    #expect(host.count == 4)
    let counts = try #require(host.counts.first?.counts)
    #expect(counts.superseded.value == 61)
    #expect(counts.living == 4)
  }

  @Test func `gets the same session by the same key, or learns that it ended for a newer one`() throws {
    let host = host(2)
    let browser = try Browser(host)
    let request = KeyedRequest(key: .text("a"), digest: Digest(method: "POST", path: [], body: [], key: nil))
    let second = try browser.open(request)
    #expect(try browser.open(request) === second)
    #expect(try browser.find(browser.first) == "session")
    _ = try browser.open()
    _ = try browser.open()
    do {
      _ = try browser.open(request)
      Issue.record("a session that ended is opened again")
    } catch SessionError.superseded {}
  }

  @Test func `has a reader told that comes when the session is about to end`() throws {
    let host = host(2)
    let browser = try Browser(host)
    let answers = Answers()
    let first = browser.first
    _ = try first.now { $0.poll(since: $0.version, waiter: answers.waiter(1)) }
    host.end(SessionTable.Superseded(inMemory: [first]))
    #expect(answers.all == ["1 failed: \(SessionError.superseded)"])
    #expect(try browser.find(first) == "superseded")
    #expect(host.count == 0)
  }

  @Test func `may open as many as its own rate allows`() throws {
    let host = host(100) { $0.openingRate = Rate(60, per: .seconds(60), burst: 3) }
    let browser = try Browser(host)
    for _ in 0..<2 { _ = try browser.open() }
    do {
      _ = try browser.open()
      Issue.record("sessions are opened faster than they may be")
    } catch SessionError.tooManyOpenings(let wait) { #expect(wait == .seconds(1)) }
    _ = try Browser(host)
    clock.advance(by: .seconds(1))
    _ = try browser.open()
    #expect(host.count == 5)
  }
}

@Suite(.timeLimit(.minutes(5))) struct `A session that nobody comes back to` {
  private let clock = ManualClock()

  private func host(_ set: (inout SessionConfiguration) -> Void = { _ in }) -> SessionHost {
    var configuration = SessionConfiguration.unhurried
    set(&configuration)
    return SessionHost([.hosting { Note() }], configuration: configuration, now: { clock.now })
  }

  /// Lets these seconds pass, one by one.
  private func pass(_ seconds: Int, _ host: SessionHost) {
    for _ in 0..<seconds {
      clock.advance(by: .seconds(1))
      host.expire()
    }
  }

  @Test func `after its opening is forgotten after five minutes, and one that a request has found is not`() throws {
    let host = host()
    let unused = try host.open("note", as: nil)
    let used = try Browser(host)
    pass(299, host)
    #expect(host.count == 2)
    pass(2, host)
    #expect(host.count == 1)
    #expect(`A host`.isFound(try host.find("note", unused.session.id, as: credential(unused.newKey))) == "none")
    #expect(try used.find(used.first) == "session")
  }

  @Test func `is forgotten in the store too, and at once where memory is scarce`() async throws {
    for isScarce in [false, true] {
      let memory = MemorySessions()
      let stored = try StoredHost(memory) { if isScarce { $0.maxSessions = 16 } }
      let unused = try (0..<(isScarce ? 16 : 1)).map { _ in try stored.host.open("note", as: nil).session }
      for each in unused {
        _ = each.enter { $0.version }
        #expect(await each.stored() == nil)
      }
      #expect(memory.count().living == unused.count)
      for _ in 0..<(isScarce ? 11 : 301) {
        stored.clock.advance(by: .seconds(1))
        stored.host.expire()
      }
      for each in unused { #expect(await each.stored() == nil) }
      #expect(stored.host.count == (isScarce ? 14 : 0))
      #expect(memory.count() == StoreCount(living: stored.host.count))
    }
  }

  @Test func `as its client says is forgotten after five minutes, unless a request comes`() throws {
    let host = host()
    let (left, reloaded) = (try Browser(host), try Browser(host))
    for each in [left, reloaded] {
      try each.find(each.first)
      try each.first.now { host.leave($0) }
    }
    pass(5, host)
    #expect(try reloaded.find(reloaded.first) == "session")
    // The end of a wait is no request: a page's poll ends when the page is closed.
    host.noteUse(of: left.first)
    pass(294, host)
    #expect(host.count == 2)
    pass(2, host)
    #expect(try left.find(left.first) == "none")
    #expect(try reloaded.find(reloaded.first) == "session")
  }

  @Test func `as its client says is the first to end for a newer one`() throws {
    let host = host { $0.maxSessionsPerClient = 3 }
    let browser = try Browser(host)
    let (second, third) = (try browser.open(), try browser.open())
    try third.now { host.leave($0) }
    let fourth = try browser.open()
    #expect(
      try [browser.first, second, third, fourth].map(browser.find) == ["session", "session", "superseded", "session"])
  }

  @Test func `as its client says leaves memory if it is stored, and is the first to end for a newer one`() async throws
  {
    let stored = try StoredHost(MemorySessions()) { configuration in
      configuration.maxSessionsPerClient = 3
      configuration.idleTime = .seconds(60)
    }
    let opened = try await stored.open()
    let key = try #require(opened.newKey)
    let browser = stored.host
    /// Opens a session and uses it, and waits until that is stored.
    func open() async throws -> Session {
      let session = try browser.open("note", as: Credential(hashing: key)).session
      _ = try browser.find("note", session.id, as: Credential(hashing: key))
      _ = session.enter { $0.version }
      #expect(await session.stored() == nil)
      return session
    }
    let (idle, left) = (opened.session, try await open())
    _ = try left.now { browser.leave($0) }
    for _ in 0..<31 {
      stored.clock.advance(by: .seconds(1))
      browser.expire()
    }
    #expect(await left.stored() == nil)
    await browser.drained()
    #expect(browser.count == 1)
    let third = try await open()
    for session in [third] { session.submit { $0.touch(stored.clock.now) } }
    for _ in 0..<31 {
      stored.clock.advance(by: .seconds(1))
      browser.expire()
    }
    #expect(await idle.stored() == nil)
    await browser.drained()
    #expect(browser.count == 1)
    // `idle` is older, and has left memory by itself. The page of `left` is closed, so `left` ends first.
    _ = try await open()
    try await stored.swept()
    #expect(`A host`.isFound(try await stored.find(left.id, as: key)) == "superseded")
    #expect(`A host`.isFound(try await stored.find(idle.id, as: key)) == "session")
  }

  @Test func `takes no memory, of sixty tabs that one browser has opened and closed, and one more opens`() throws {
    let host = host { $0.openingRate = nil }
    let browser = try Browser(host)
    let one = host.memoryBytes
    let answers = Answers()
    let open = [browser.first, try browser.open(), try browser.open()]
    for (number, session) in open.enumerated() {
      _ = try session.now { $0.poll(since: $0.version, waiter: answers.waiter(number)) }
    }
    for _ in 0..<60 {
      let session = try browser.open()
      try session.now { host.leave($0) }
      pass(1, host)
      #expect(host.count <= 20)
    }
    let last = try browser.open()
    pass(301, host)
    #expect(try (open + [last]).map(browser.find) == ["session", "session", "session", "session"])
    #expect(host.count == 4)
    #expect(host.memoryBytes == 4 * one)
    #expect(answers.all == [])
  }
}
