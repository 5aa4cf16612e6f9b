// SPDX-License-Identifier: MIT
import Dispatch
import JSONPatching
import Locking
import ObservableCore
import Testing
import ViewModels

@testable import Sessions

/// A view model whose action is disabled.
private final class Closed: ViewModel {
  let title = Observable("")
  let isOpen = Observable(false)
  let rename = Observer<String>()

  init() { rename.handle(self) { $0.title.value = $1 } }

  static let surface = Surface<Closed>(
    "closed", .twoWay("title", \.title), .value("isOpen", \.isOpen), .action("rename", \.rename, when: \.isOpen))
}

@Suite struct `A session` {
  let host = SessionHost.still([.hosting { Note() }], configuration: .unhurried)
  let session: Session

  init() throws { session = try host.open("note", as: nil).session }

  @Test func `an action that is refused, or that does not exist, counts for no pace`() throws {
    let changes = [Change.perform(["nothing"]), .perform(["rename"], 1), .perform(["fail"]), .perform(["rename"], "x")]
    for change in changes { _ = try? session.now { try $0.make(change, since: nil, ifMatch: nil) } }
    #expect(session.services.pace.lane(of: [changes[0]], on: "note") == .untried)
    #expect(session.services.pace.lane(of: [changes[2]], on: "note") == .here)
    #expect(session.services.pace.lane(of: [changes[3]], on: "note") == .here)
    let other = try host.open("note", as: nil).session
    _ = try? other.now { try $0.make(.set(["title"], 1), since: nil, ifMatch: nil) }
    #expect(session.services.pace.lane(of: [.set(["title"], "x")], on: "note") == .untried)
  }

  @Test func `a condition on an older version fails before an action that is disabled or not there`() throws {
    let session = try SessionHost.still([.hosting { Closed() }], configuration: .unhurried).open("closed", as: nil)
      .session
    let first = try session.now { $0.version }
    _ = try session.now { try $0.assign(["title"], "x", since: nil, ifMatch: nil) }
    for action in ["rename", "nothing"] {
      func perform(_ ifMatch: Precondition?) throws {
        _ = try session.now { try $0.perform([action], "y", since: nil, ifMatch: ifMatch) }
      }
      #expect(throws: SurfaceError.self) { try perform(nil) }
      #expect(throws: SurfaceError.self) { try perform(.versions([try session.now { $0.version }])) }
      let error = #expect(throws: SessionError.self) { try perform(.versions([first])) }
      let moved = SessionError.versionMoved(try session.now { $0.version })
      #expect(error.map { "\($0)" } == "\(moved)")
    }
  }

  @Test func `a poll waits while nothing is newer, and is answered by the next change`() throws {
    let answers = Answers()
    let first = try session.now { $0.version }
    #expect(text(try session.now { $0.poll(since: first) }) == "unchanged")
    #expect(text(try session.now { $0.poll(since: nil) }) == "changed to 1")
    #expect(text(try session.now { $0.poll(since: first, waiter: answers.waiter(1)) }) == "waits")
    _ = try session.now { try $0.perform(["rename"], "", since: nil, ifMatch: nil) }
    #expect(answers.all == [])
    _ = try session.now { try $0.perform(["rename"], "x", since: nil, ifMatch: nil) }
    #expect(answers.all == ["1 changed to 2"])
    _ = try session.now { try $0.perform(["rename"], "y", since: nil, ifMatch: nil) }
    #expect(answers.all == ["1 changed to 2"])
    #expect(text(try session.now { $0.poll(since: first, waiter: answers.waiter(2)) }) == "changed to 3")
  }

  @Test func `a wait that ended is not answered`() throws {
    let answers = Answers()
    _ = try session.now { $0.poll(since: $0.version, waiter: answers.waiter(1)) }
    try session.now { $0.endWait(answers.waiter(1), nil) }
    try session.now { $0.endWait(answers.waiter(1), .unchanged) }
    _ = try session.now { try $0.perform(["rename"], "x", since: nil, ifMatch: nil) }
    #expect(answers.all == [])
  }

  @Test func `a credential's fifth waiting poll releases its oldest, whichever session that waits in`() throws {
    let answers = Answers()
    let key = try host.open("note", as: nil).credential
    let sessions = try (0..<5).map { _ in try host.open("note", as: key).session }
    for (index, session) in sessions.enumerated() {
      #expect(try text(session.now { $0.poll(since: $0.version, waiter: answers.waiter(index + 1)) }) == "waits")
    }
    #expect(answers.all == ["1 displaced for 2"])
    // A place that a reader gives up is free for the next reader.
    try sessions[4].now { $0.endWait(answers.waiter(5), nil) }
    #expect(try text(sessions[0].now { $0.poll(since: $0.version, waiter: answers.waiter(6)) }) == "waits")
    #expect(answers.all == ["1 displaced for 2"])
  }

  @Test func `a session's ninth waiting poll releases its oldest`() throws {
    let host = SessionHost.still([.hosting { Note() }], configuration: .with { $0.maxPollsPerClient = 100 })
    let session = try host.open("note", as: nil).session
    let answers = Answers()
    for id in 1...9 { _ = try session.now { $0.poll(since: $0.version, waiter: answers.waiter(id)) } }
    #expect(answers.all == ["1 displaced for 2"])
  }

  @Test(.timeLimit(.minutes(30)))
  func `a thread that finds the turn taken leaves its job there, and all are done in order`() async throws {
    let order = Locked<[Int]>([])
    let isIn = DispatchSemaphore(value: 0)
    let mayGo = DispatchSemaphore(value: 0)
    let session = session
    await withCheckedContinuation { (done: CheckedContinuation<Void, Never>) in
      DispatchQueue.global().async {
        session.submit { _ in
          isIn.signal()
          mayGo.wait()
          order.withLock { $0.append(0) }
        }
      }
      isIn.wait()
      for number in 1...3 {
        session.submit { _ in
          number
        } then: { told in
          let number = (try? told.get()) ?? -1
          order.withLock { $0.append(number) }
          if number == 3 { done.resume() }
        }
      }
      #expect(order.withLock { $0 } == [])
      mayGo.signal()
    }
    #expect(order.withLock { $0 } == [0, 1, 2, 3])
  }

  @Test(.timeLimit(.minutes(30)))
  func `asynchronous code gets in as into any actor, beside plain threads, and no change is lost`() async throws {
    let session = session
    try await withThrowingTaskGroup(of: Void.self) { group in
      for task in 0..<4 {
        group.addTask {
          for step in 0..<100 {
            _ = try await session.perform(["rename"], .string("\(task) \(step)"), since: nil, ifMatch: nil)
          }
        }
      }
      group.addTask {
        await withCheckedContinuation { (done: CheckedContinuation<Void, Never>) in
          DispatchQueue.global().async {
            for step in 0..<100 {
              session.submit { _ = try? $0.perform(["rename"], .string("plain \(step)"), since: nil, ifMatch: nil) }
            }
            session.submit { _ in
            } then: { _ in
              done.resume()
            }
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(await session.version.revision == 501)
  }
}
