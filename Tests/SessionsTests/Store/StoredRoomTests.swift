// SPDX-License-Identifier: MIT
import JSONPatching
import ObservableCore
import Testing
import ViewModels

@testable import Sessions

@Suite struct `Room in memory, of sessions that are stored,` {
  /// Has the host make room, and waits until the sessions that are to leave have left.
  private func expire(_ stored: StoredHost, _ opened: [SessionHost.Opened]) async throws {
    stored.host.expire()
    for each in opened { #expect(await each.session.stored() == nil) }
    await stored.host.drained()
  }

  @Test func `is made of those that are unused for longest, which come back`() async throws {
    let stored = try StoredHost(MemorySessions()) { $0.maxSessions = 32 }
    var opened: [SessionHost.Opened] = []
    for _ in 0..<30 {
      opened.append(try await stored.open())
      stored.clock.advance(by: .seconds(1))
      stored.host.expire()
    }
    // Each session is used once more, the first one last. So the second one is unused for longest.
    for each in opened[1...] + opened[..<1] {
      _ = try await stored.living(each.session.id, as: each.newKey).now { try $0.rename("used") }
      stored.clock.advance(by: .seconds(1))
      stored.host.expire()
    }
    #expect(stored.host.count == 30)
    opened.append(try await stored.open())
    stored.clock.advance(by: .seconds(1))
    try await expire(stored, opened)
    #expect(stored.host.count == 28)
    let gone = opened.indices.filter { opened[$0].session.enter { _ in }.hasLeft }
    #expect(gone == [1, 2, 3])
    let back = try await stored.living(opened[1].session.id, as: opened[1].newKey)
    #expect(try back.now { try $0.title } == "used")
  }

  @Test func `is not made of one in which a reader waits`() async throws {
    let stored = try StoredHost(MemorySessions()) { $0.maxSessions = 16 }
    var opened: [SessionHost.Opened] = []
    for _ in 0..<16 { opened.append(try await stored.open()) }
    let answers = Answers()
    for (number, each) in opened.enumerated() where number < 15 {
      _ = try each.session.now { $0.poll(since: $0.version, waiter: answers.waiter(number)) }
    }
    stored.clock.advance(by: .seconds(1))
    // At each look, the host passes over sessions in which a reader waits.
    for _ in 0..<16 {
      try await expire(stored, opened)
      stored.clock.advance(by: .seconds(1))
    }
    #expect(opened.indices.filter { opened[$0].session.enter { _ in }.hasLeft } == [15])
    #expect(answers.all == [])
  }

  private final class Diary: ViewModel {
    @Observed var page = ""
    func write(_ text: String) { page = text }
    static let surface = Surface<Diary>("diary", .stored("page", \.$page), .action("write", Diary.write))
  }

  @Test func `is counted with a value that is stored and not shown`() async throws {
    let stored = try StoredHost(MemorySessions(), types: [.hosting { Diary() }])
    let session = try await stored.open("diary").session
    let before = stored.host.memoryBytes
    let page = JSON.string(String(repeating: "x", count: 10_000))
    _ = try session.now { try $0.perform(["write"], page, since: nil, ifMatch: nil) }
    #expect(await session.stored() == nil)
    #expect(stored.host.memoryBytes >= before + 10_000)
  }

  @Test func `takes the use of a client as one, whichever of its sessions is read first`() async throws {
    let memory = MemorySessions()
    let first = try StoredHost(memory)
    let one = try await first.open()
    let key = try #require(one.newKey)
    let other = try await first.open(as: key, isFound: false).session
    let later = try StoredHost(MemorySessions(sharing: memory))
    let (use, making) = (later.host.table.making(for: Credential(hashing: key)), one.session.owner)
    let sessions = [try await later.living(one.session.id, as: key), try await later.living(other.id, as: key)]
    later.host.table.made(for: making)
    #expect(sessions.allSatisfy { $0.use === use })
    #expect(use.bytes == later.host.memoryBytes)
  }
}
