// SPDX-License-Identifier: MIT
import JSONPatching
import Locking
import Testing
import ViewModels

@testable import Sessions

/// The end of a user's sessions, in memory and in the store.
extension `A client that signs in, in a host with a store` {
  @Test func `is told where signing out everywhere could not be stored, and here all have ended`() async throws {
    let store = RefusingStore()
    let host = try StoredHost(store, types: Self.types)
    var clients: [(id: String, key: String)] = []
    for _ in 0..<3 {
      let (id, first) = try await open(host)
      clients.append((id, try await enter("7", in: id, as: first, host)))
    }
    store.refusesEndings.withLock { $0 = true }
    await #expect(throws: SessionError.self) {
      try await perform("leaveEverywhere", in: clients[0].id, as: clients[0].key, host)
    }
    try await host.swept()
    for (id, key) in clients {
      #expect(try await `A host`.isFound(host.find(id, as: key, in: "door")) != "session")
    }
  }

  @Test func `takes no session that a user has opened to the next one, also of those in the store alone`() async throws
  {
    let store = MemorySessions()
    let before = try StoredHost(store, types: Self.types)
    let (nobodys, first) = try await open(before)
    let key = try await enter("7", in: nobodys, as: first, before)
    let credential = Credential(hashing: key)
    let opened = try (0..<2).map { _ in
      let session = try before.host.open("door", as: credential, by: Visitor(params: ["door": 7])).session
      _ = try before.host.find("door", session.id, as: credential)
      _ = try session.now { $0.version }
      return session
    }
    for session in opened { #expect(await session.stored() == nil) }
    #expect(store.count().living == 3)
    let host = try StoredHost(MemorySessions(sharing: store), types: Self.types)
    let last = try await enter("8", in: opened[0].id, as: key, host)
    #expect(store.count().living == 2)
    for id in [opened[0].id, nobodys] { #expect(try await state(id, as: last, host)?["name"] == "Person 8") }
    #expect(try await `A host`.isFound(host.find(opened[1].id, as: last, in: "door")) == "none")
  }

  @Test func `is not known where requests prove no users any more, if they had to`() async throws {
    let store = MemorySessions()
    let host = try StoredHost(store, types: Self.types)
    let (id, key) = try await open(host)
    #expect(host.host.bind(Credential(hashing: key), to: User(id: "7")))
    try await host.swept()
    #expect(try await `A host`.isFound(host.find(id, as: key, in: "door")) == "session")
    let next = try StoredHost(MemorySessions(sharing: store), types: Self.types) { $0.takesProofs = false }
    #expect(try await `A host`.isFound(next.find(id, as: key, in: "door")) == "none")
    #expect(next.host.user(of: Credential(hashing: key)) == nil)
  }

  @Test func `has to go on proving its user after a view model has signed it in or out`() async throws {
    let host = try StoredHost(MemorySessions(), types: Self.types)
    let (id, first) = try await open(host)
    #expect(host.host.bind(Credential(hashing: first), to: User(id: "7")))
    let key = try await enter("7", in: id, as: first, host)
    #expect(host.host.dismissUnproved(Credential(hashing: key)))
  }
}
