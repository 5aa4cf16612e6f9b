// SPDX-License-Identifier: MIT
import JSONPatching
import Testing
import ViewModels

@testable import Sessions
@testable import Storing

@Suite(.timeLimit(.minutes(30))) struct `The members of a room` {
  private let store = MemorySessions()

  /// The next process, on the same store.
  private func next() throws -> StoredHost {
    try StoredHost(MemorySessions(sharing: store), types: [Lobby.hosted])
  }

  private func guest(_ name: String, of host: StoredHost) async throws -> Guest {
    try await Guest(of: host, User(id: name, name: name), in: "lobby")
  }

  /// Lets the coming and going be told.
  private func told(_ host: StoredHost) async throws {
    await host.host.drained()
    try await host.swept()
    await host.host.drained()
  }

  @Test func `are those whose readers wait, with a row for each, and nobody else`() async throws {
    let host = try next()
    var (anna, bob) = (try await guest("anna", of: host), try await guest("bob", of: host))
    let lobby = try await anna.enter(nil)
    try await bob.enter(nil)
    #expect(try await anna.state(lobby)["names"] == [])
    #expect(try await anna.state(lobby)["isFollowed"] == false)
    let waiting = try await anna.wait(lobby)
    guard case .changed = await waiting.value else { return #expect(Bool(false), "the reader was to be told") }
    try await told(host)
    #expect(try await bob.state(lobby)["names"] == ["anna"])
    #expect(try await bob.state(lobby)["isFollowed"] == true)
    _ = try await bob.wait(lobby)
    try await told(host)
    try await bob.perform("go", "window", in: lobby)
    let people = try await anna.state(lobby)["people"]
    guard case .array(let order)? = people?["order"], order.count == 2, case .string(let last) = order[1] else {
      return #expect(Bool(false), "expected two people, got \(String(describing: people))")
    }
    #expect(people?["items"]?[last] == ["name": "bob", "place": "window"])
  }

  @Test func `go within three seconds after their last reader`() async throws {
    let host = try next()
    var anna = try await guest("anna", of: host)
    let lobby = try await anna.enter(nil)
    _ = await (try await anna.wait(lobby)).value
    try await told(host)
    try await host.pass(1)
    #expect(try await anna.state(lobby)["names"] == ["anna"])
    try await host.pass(2)
    #expect(try await anna.state(lobby)["names"] == [])
    #expect(try await anna.state(lobby)["isFollowed"] == false)
  }

  @Test func `stay while they come back in time, and the room makes no version of it`() async throws {
    let host = try next()
    var anna = try await guest("anna", of: host)
    let lobby = try await anna.enter(nil)
    _ = await (try await anna.wait(lobby)).value
    try await told(host)
    let version = try await anna.snapshot(lobby)["version"]
    for _ in 0..<300 {
      // The poll of one second is over without news, and the next one comes.
      let (room, requester) = try await anna.request(lobby)
      let waiter = try await room.read(for: requester) { session in
        let waiter = Waiter.poll(since: session.version, of: requester)
        return session.poll(waiter) { _ in } == nil ? waiter : nil
      }
      try await host.pass(1)
      let poll = try #require(waiter)
      room.submit { $0.endWait(of: poll, .unchanged) }
      try await host.pass(1)
    }
    #expect(try await anna.snapshot(lobby)["version"] == version)
  }

  @Test func `are there again after a restart, until it is known who has not come back`() async throws {
    var host = try next()
    var (anna, bob) = (try await guest("anna", of: host), try await guest("bob", of: host))
    let lobby = try await anna.enter(nil)
    try await bob.enter(nil)
    for guest in [anna, bob] {
      _ = try await guest.wait(lobby)
      try await told(host)
    }
    try await anna.perform("go", "window", in: lobby)
    let before = try await anna.state(lobby)
    #expect(before["names"] == ["anna", "bob"])
    host = try next()
    anna = anna.again(at: host)
    #expect(try await anna.state(lobby) == before)
    _ = try await anna.wait(lobby)
    try await host.pass(4)
    #expect(try await anna.state(lobby) == before)
    // Anna's poll is answered by this, so she is there for a moment more.
    try await host.pass(2)
    #expect(try await anna.state(lobby)["names"] == ["anna"])
  }
}
