// SPDX-License-Identifier: MIT
import JSONPatching
import StoreRules
import Testing
import ViewModels

@testable import Sessions
@testable import Storing

@Suite(.timeLimit(.minutes(30))) struct `A room at one of several servers` {
  private let shelf = MemorySessions()
  private let store: SharedShelf
  private let host: StoredHost

  init() throws {
    store = SharedShelf(MemorySessions(sharing: shelf))
    host = try StoredHost(store, types: [Hall.hosted, .hosting { Door($0) }])
    host.giveSign()
  }

  @Test func `has a reader come again whose user has other roles at another server`() async throws {
    var guest = try await Guest(of: host, User(id: "anna"))
    let hall = try await guest.enter()
    let client = try #require(guest.credential.flatMap { host.host.table.client(of: $0) })
    let waiting = try await guest.wait(hall)
    let user = User(id: "anna", roles: ["owner"])
    shelf.put(ClientRecord(owner: client.owner, credential: guest.credential, user: user, changed: 9_999_999_999))
    store.tell(.client(client.owner, ofUser: .ofUser("anna")))
    try await host.hear()
    guard case .displaced = await waiting.value else { return #expect(Bool(false), "the reader was to come again") }
    #expect(try await guest.state(hall)["secret"] == "nothing")
  }

  @Test func `has a reader come again whose user has come to another server at another client`() async throws {
    var guest = try await Guest(of: host, User(id: "anna"))
    let hall = try await guest.enter()
    let waiting = try await guest.wait(hall)
    store.tell(.client(Credential(hashing: "her phone"), ofUser: .ofUser("anna")))
    try await host.hear()
    guard case .displaced = await waiting.value else { return #expect(Bool(false), "the reader was to come again") }
  }

  @Test func `stays there, however many requests come by way of other servers`() async throws {
    var guest = Guest(of: host)
    let hall = try await guest.enter()
    let (room, _) = try await guest.request(hall)
    try await host.swept()
    for _ in 0..<40 { host.host.noteArrival(at: room, isPassedOn: true) }
    await room.settled()
    try await host.swept()
    await host.host.drained()
    #expect(host.host.table.inMemory(hall) === room)
  }
}
