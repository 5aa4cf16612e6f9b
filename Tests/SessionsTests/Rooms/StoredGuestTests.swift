// SPDX-License-Identifier: MIT
import JSONPatching
import Locking
import ObservableCore
import Testing
import ViewModels

@testable import Sessions
@testable import Storing

/// A desk of one user, who may invite helpers.
private final class Desk: ViewModel {
  private let context: SessionContext
  @Observed var notes: [String] = []

  init(_ context: SessionContext) { self.context = context }

  func invite() throws -> String { try context.invite(as: "helper") }
  func help(_ note: String) { notes.append(note) }
  func dismiss() throws { for guest in try context.guests.get() { try context.dismiss(guest.client) } }

  static let surface = Surface<Desk>(
    "desk", .value("notes", \.$notes), .action("invite", Desk.invite), .action("dismiss", Desk.dismiss),
    .action("help", Desk.help).for(.role("helper")))

  static let hosted = HostedModelType.hosting(scope: .room { $0?.id == "owner" }.orInvited) { Desk($0) }
}

@Suite(.timeLimit(.minutes(30))) struct `Guests and invitations of a stored room` {
  private let store = MemorySessions()

  /// A server process on the same store.
  private func next() throws -> StoredHost { try StoredHost(MemorySessions(sharing: store), types: [Desk.hosted]) }

  private func invitation(of owner: Guest, in desk: String) async throws -> String {
    guard case .string(let text)? = try await owner.perform("invite", in: desk)["result"] else { return "" }
    return text
  }

  /// Opens the desk as a guest does.
  private func enter(_ host: StoredHost, by invitation: String?, as key: String? = nil) async throws -> (Guest, String)
  {
    let opened = try await host.opening("desk", as: key, invitation: invitation)
    try await opened.session.read(for: opened.requester, isEntering: true) {
      try $0.enter(opened.requester, by: invitation)
    }
    var guest = Guest(of: host, in: "desk")
    guest.key = opened.newKey ?? key
    return (guest, opened.session.id)
  }

  @Test func `are there after each restart, and a guest who was dismissed is not`() async throws {
    let first = try next()
    var owner = try await Guest(of: first, User(id: "owner"), in: "desk")
    let desk = try await owner.enter(nil)
    let invitation = try await invitation(of: owner, in: desk)
    await first.host.drained()

    let second = try next()
    let (guest, found) = try await enter(second, by: invitation)
    #expect(found == desk)
    try await guest.perform("help", "one", in: desk)
    await second.host.drained()

    let third = try next()
    let same = guest.again(at: third)
    try await same.perform("help", "two", in: desk)
    #expect(try await same.state(desk)["notes"] == ["one", "two"])
    #expect(try await enter(third, by: nil, as: guest.key).1 == desk)
    await #expect(throws: SessionError.self) { try await enter(third, by: invitation) }
    owner = owner.again(at: third)
    try await owner.perform("dismiss", in: desk)
    await third.host.drained()

    let fourth = try next()
    await #expect(throws: (any Error).self) { try await guest.again(at: fourth).state(desk) }
    await #expect(throws: SessionError.self) { try await enter(fourth, by: nil, as: guest.key) }
  }

  @Test func `leave no invitation in the store, and who asks again is told that it was made`() async throws {
    let host = try next()
    var owner = try await Guest(of: host, User(id: "owner"), in: "desk")
    let desk = try await owner.enter(nil)
    let request = try Driven.request("tab/1")
    let first = try await owner.perform("invite", in: desk, key: request)
    let invitation = try String(json: #require(first["result"]))
    let again = try await owner.perform("invite", in: desk, key: request)
    #expect(again == ["replayed": true])
    await host.host.drained()
    guard case .living(let record)? = store.read(desk) else { throw SessionError.closed }
    #expect(record.keys.count > 32, "the key is there")
    #expect(!String(decoding: record.keys + record.state + (record.context ?? []), as: UTF8.self).contains(invitation))
    #expect(try await enter(next(), by: invitation).1 == desk)
  }

  @Test func `end for a request that was on its way as its guest was dismissed`() async throws {
    let host = try next()
    var owner = try await Guest(of: host, User(id: "owner"), in: "desk")
    let id = try await owner.enter(nil)
    let (guest, _) = try await enter(host, by: try await invitation(of: owner, in: id))
    let (desk, helper) = try await guest.request(id)
    let (_, master) = try await owner.request(id)
    let (outcomes, told) = AsyncStream<Result<ChangeRequest.Outcome, any Error>>.makeStream()
    let request = ChangeRequest(
      .success(.changes([.perform(["help"], "late")], isList: false, since: nil, ifMatch: nil)), key: nil, from: helper
    ) { ChangeRequest.Refusal($0, kept: nil) }
    try await desk.read(for: master) { session in
      // The request is behind the turn in which its guest is dismissed.
      desk.apply(request) { told.yield($0) }
      _ = try session.make([.perform(["dismiss"])], as: master)
    }
    for await outcome in outcomes.prefix(1) {
      #expect(throws: SessionError.self) { try outcome.get() }
    }
    await #expect(throws: SessionError.self) { try await desk.read(for: helper) { try $0.snapshot().json } }
    #expect(try await owner.state(id)["notes"] == [])
  }

  @Test func `leave nothing in memory of rooms that were asked for in vain`() async throws {
    let host = try next()
    let stranger = try await Guest(of: host, User(id: "stranger"), in: "desk")
    let known = host.host.table.state.withLock { $0.clients.clients.count }
    for _ in 0..<200 {
      await #expect(throws: SessionError.self) { try await enter(host, by: "x", as: stranger.key) }
    }
    #expect(host.host.table.state.withLock { $0.clients.clients.count } == known)
  }

  @Test func `are asked for by nobody into a room that does not live, and no room is made`() async throws {
    let host = try next()
    for invitation in [nil, "x"] {
      await #expect(throws: SessionError.self) { try await enter(host, by: invitation) }
    }
    #expect(host.host.count == 0)
  }
}
