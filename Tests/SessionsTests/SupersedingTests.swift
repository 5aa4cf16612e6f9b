// SPDX-License-Identifier: MIT
import Dispatch
import Locking
import Testing
import ViewModels

@testable import Sessions
@testable import Storing

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
    try host.find("note", session.id, as: Credential(hashing: key)).text
  }
}

@Suite(.timeLimit(.minutes(30))) struct `A client that opens one session too many` {
  private let clock = ManualClock()

  private func host(
    _ most: Int, _ types: [HostedModelType] = [.hosting { Note() }], openingRate: Rate? = nil
  ) -> SessionHost {
    var configuration = SessionConfiguration.unhurried
    configuration.maxSessionsPerClient = most
    configuration.openingRate = openingRate
    return SessionHost(types, configuration: configuration, now: { clock.now })
  }

  @Test func `gets it, and the one ends that no request has found for longest`() throws {
    let host = host(3)
    let browser = try Browser(host)
    let sessions = [browser.first, try browser.open(), try browser.open()]
    try browser.find(sessions[0])
    let fourth = try browser.open()
    #expect(host.count == 3)
    #expect(try (sessions + [fourth]).map(browser.find) == ["session", "superseded", "session", "session"])
    // The sessions of another client stay.
    let other = try Browser(host)
    let fifth = try browser.open()
    #expect(try other.find(other.first) == "session")
    #expect(try sessions.map(browser.find) == ["superseded", "superseded", "session"])
    // A session that its client has closed is none that counts.
    host.close(fourth)
    _ = try browser.open()
    #expect(try [sessions[2], fifth].map(browser.find) == ["session", "session"])
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
    let error = #expect(throws: SessionError.self) { _ = try browser.open() }
    #expect(error.map { "\($0)" }?.contains("expected it to close one first") == true)
    #expect(answers.all == [])
    try first.now { $0.endWait(answers.waiter(1), .unchanged) }
    _ = try browser.open()
    #expect(try browser.find(first) == "superseded")
  }

  @Test func `ends as many as are too many, and no session twice, while another one is being made`() throws {
    let late = Locked<(@Sendable () throws -> Void)?>(nil)
    let host = host(
      2,
      [
        .hosting {
          try late.withLock { late in
            defer { late = nil }
            return late
          }?()
          return Note()
        }
      ])
    let browser = try Browser(host)
    let (first, second) = (browser.first, try browser.open())
    let inner = Locked<Session?>(nil)
    // While the host makes the third session, a request opens the fourth.
    late.withLock {
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
    let browser = try Browser(host(2))
    let request = KeyedRequest(key: .text("a"), digest: Digest(method: "POST", path: [], body: [], key: nil))
    let second = try browser.open(request)
    #expect(try browser.open(request) === second)
    #expect(try browser.find(browser.first) == "session")
    for _ in 0..<2 { _ = try browser.open() }
    let error = #expect(throws: SessionError.self) { try browser.open(request) }
    #expect(error.map { "\($0)" } == "\(SessionError.superseded)")
  }

  @Test func `has a reader told that comes when the session is about to end`() throws {
    let host = host(2)
    let browser = try Browser(host)
    let answers = Answers()
    _ = try browser.first.now { $0.poll(since: $0.version, waiter: answers.waiter(1)) }
    host.end(SessionTable.Superseded(inMemory: [browser.first]))
    #expect(answers.all == ["1 failed: \(SessionError.superseded)"])
    #expect(try browser.find(browser.first) == "superseded")
    #expect(host.count == 0)
  }

  @Test func `may open as many as its own rate allows`() throws {
    let host = host(100, openingRate: Rate(60, per: .seconds(60), burst: 3))
    let browser = try Browser(host)
    for _ in 0..<2 { _ = try browser.open() }
    let error = #expect(throws: SessionError.self) { _ = try browser.open() }
    #expect(error.map { "\($0)" } == "\(SessionError.tooManyOpenings(retryAfter: .seconds(1)))")
    _ = try Browser(host)
    clock.advance(by: .seconds(1))
    _ = try browser.open()
    #expect(host.count == 5)
  }
}

@Suite(.timeLimit(.minutes(30))) struct `A session that is not used any more` {
  private let clock = ManualClock()

  private func host(mostPerClient: Int = 20) -> SessionHost {
    var configuration = SessionConfiguration.unhurried
    configuration.openingRate = nil
    configuration.maxSessionsPerClient = mostPerClient
    return SessionHost([.hosting { Note() }], configuration: configuration, now: { clock.now })
  }

  /// Lets these seconds pass, one by one.
  private func pass(_ seconds: Int, _ host: SessionHost) {
    for _ in 0..<seconds {
      clock.advance(by: .seconds(1))
      host.expire()
    }
  }

  @Test func `since its opening is forgotten after five minutes, and one that a request has found is not`() throws {
    let host = host()
    let unused = try host.open("note", as: nil)
    let used = try Browser(host)
    pass(299, host)
    #expect(host.count == 2)
    pass(2, host)
    #expect(host.count == 1)
    #expect(try host.find("note", unused.session.id, as: unused.credential).text == "none")
    #expect(try used.find(used.first) == "session")
  }

  @Test(arguments: [false, true]) func `is forgotten in the store too, and at once where memory is scarce`(
    isScarce: Bool
  ) async throws {
    let memory = MemorySessions()
    let stored = try StoredHost(memory) { if isScarce { $0.maxSessions = 16 } }
    for _ in 0..<(isScarce ? 16 : 1) { try await stored.open(isFound: false) }
    #expect(memory.count().living == (isScarce ? 16 : 1))
    try await stored.pass(isScarce ? 11 : 301)
    #expect(stored.host.count == (isScarce ? 14 : 0))
    #expect(memory.count() == StoreCount(living: stored.host.count))
  }

  @Test func `as its client says is forgotten after five minutes, unless a request comes`() throws {
    let host = host()
    let (left, reloaded) = (try Browser(host), try Browser(host))
    for each in [left, reloaded] { try each.first.now { host.leave($0) } }
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
    let host = host(mostPerClient: 3)
    let browser = try Browser(host)
    let (second, third) = (try browser.open(), try browser.open())
    try third.now { host.leave($0) }
    let fourth = try browser.open()
    #expect(
      try [browser.first, second, third, fourth].map(browser.find) == ["session", "session", "superseded", "session"])
  }

  @Test func `takes no memory, of sixty tabs that one browser has opened and closed, and one more opens`() throws {
    let host = host()
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
