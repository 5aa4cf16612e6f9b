// SPDX-License-Identifier: MIT
import JSONPatching
import Locking
import Testing
import ViewModels

@testable import Sessions
@testable import Storing

@Suite(.timeLimit(.minutes(30))) struct `A client that signs in, in a host with a store` {
  private let store = MemorySessions()

  private func host(
    _ store: (any SessionStore)? = nil, types: [HostedModelType] = DoorClient.types
  ) throws -> StoredHost {
    try StoredHost(store ?? MemorySessions(sharing: self.store), types: types)
  }

  @Test func `is known by its present credential after a restart, with its user, and not by the first`() async throws {
    let before = try host()
    var client = try DoorClient(of: before.host)
    let first = client.key
    try await client.enter("7", in: before)
    try await client.perform("add", "mine", in: before)
    let shown = try await client.state(in: before)
    #expect(shown == ["name": "Person 7", "language": "de", "number": 7, "notes": ["mine"]])
    let next = try host()
    // The first request after the restart has the credential from before signing in.
    #expect(try await next.find(client.id, as: first, in: "door").text == "credential replaced")
    // The first credential is refused too if another client's request has had the session read before.
    let third = try host()
    #expect(try await third.find(client.id, as: "another", in: "door").text == "none")
    #expect(try await third.find(client.id, as: first, in: "door").text != "session")
    #expect(try await client.state(in: next) == shown)
    let user = User(id: "7", name: "Person 7", roles: ["a", "b"], claims: ["since": 1999])
    #expect(next.host.user(of: client.credential) == user)
  }

  @Test func `ends where that cannot be stored, and nobody has its sessions`() async throws {
    let store = RefusingStore()
    let host = try host(store)
    let client = try DoorClient(of: host.host)
    store.refuses.withLock { $0 = true }
    await #expect(throws: SessionError.self) { try await client.perform("enter", "7", in: host) }
    store.refuses.withLock { $0 = false }
    #expect(try await client.find(in: host).text != "session")
    // The client begins anew.
    #expect(try await DoorClient(of: host.host).state(in: host)?["name"] == "nobody")
  }

  @Test func `is signed out everywhere, of clients that are in the store alone too`() async throws {
    let away = try await DoorClient.of("7", in: host())
    let host = try host()
    var client = try await DoorClient.of("7", in: host)
    client.key = try client.newKey(await client.perform("leaveEverywhere", in: host))
    try await host.swept()
    #expect(try await client.state(in: host)?["name"] == "nobody")
    #expect(try await away.find(in: host).text == "signed out")
    // After another restart, the store knows this credential no better than one that never was.
    #expect(try await away.find(in: self.host()).text == "none")
  }

  @Test func `is told where signing out everywhere could not be stored, and here all have ended`() async throws {
    let store = RefusingStore()
    let host = try host(store)
    var clients: [DoorClient] = []
    for _ in 0..<3 { clients.append(try await DoorClient.of("7", in: host)) }
    store.refusesEndings.withLock { $0 = true }
    await #expect(throws: SessionError.self) { try await clients[0].perform("leaveEverywhere", in: host) }
    try await host.swept()
    for client in clients { #expect(try await client.find(in: host).text != "session") }
  }

  @Test func `is signed out where another server has done so, also if lookups failed for a time`() async throws {
    let store = RefusingStore()
    let host = try host(store)
    let client = try await DoorClient.of("7", in: host)
    let owner = try #require(host.host.owner(of: client.credential))
    store.memory.put(ClientRecord(owner: owner, credential: nil, user: nil, changed: 9_999_999_999))
    store.refusesLookups.withLock { $0 = true }
    host.host.hear([.client(owner, ofUser: nil)])
    try await host.swept()
    #expect(host.host.owner(of: client.credential) == owner, "nobody could know")
    // A store that fails is asked again after a second, and not each time that the host does what is due.
    for _ in 0..<20 {
      host.clock.advance(by: .milliseconds(100))
      host.host.hearAgain()
      try await host.swept()
    }
    #expect(store.refusedLookups.withLock { $0 } == 3)
    store.refusesLookups.withLock { $0 = false }
    host.clock.advance(by: .seconds(1))
    host.host.hearAgain()
    try await host.swept()
    #expect(host.host.owner(of: client.credential) == nil)
  }

  @Test func `has requests handled anew that found the session before it`() async throws {
    let host = try host()
    var client = try DoorClient(of: host.host)
    let session = try await host.living(client.id, as: client.key, in: "door")
    // A request with the first credential has found the session, and waits for the turn.
    let early = Requester(try #require(host.host.table.client(of: client.credential)))
    try await client.enter("7", in: host)
    let request = DoorClient.request("add", "theirs", from: early)
    let acted = await withCheckedContinuation { done in session.apply(request) { done.resume(returning: $0) } }
    for error in [acted.error, await session.read(from: early).error] { #expect(error == "\(SessionError.left)") }
  }

  @Test func `ends a session that was being made meanwhile for the key from before`() async throws {
    let meanwhile = Meanwhile()
    let host = try host(types: meanwhile.types)
    let client = try DoorClient(of: host.host)
    let session = try await host.living(client.id, as: client.key, in: "door")
    meanwhile.enter("7", in: session, as: client.credential)
    // The request is handled anew, and then told that the key was replaced.
    for expected in [SessionError.left, .credentialReplaced] {
      let error = await #expect(throws: SessionError.self) {
        try await host.opening("door", as: client.key, by: DoorClient.visitor)
      }
      #expect(error?.description == expected.description)
    }
    #expect(host.host.count == 1)
  }

  @Test func `has an opening handled anew that came before it and is not answered yet`() async throws {
    let host = try host()
    var client = try DoorClient(of: host.host)
    let request = KeyedRequest(key: .text("a"), digest: Digest(method: "POST", path: [], body: [], key: nil))
    // The second one finds the session of the first.
    var opened: [SessionHost.Opened] = []
    for _ in 0..<2 {
      opened.append(try await host.opening("door", as: client.key, by: DoorClient.visitor, request))
    }
    try await client.enter("7", in: host)
    for opened in opened { #expect(await opened.session.read(from: opened.requester).error == "\(SessionError.left)") }
  }

  @Test func `ends a session of its user that is being read while another one signs in`() async throws {
    let before = try host()
    let client = try await DoorClient.of("7", in: before)
    let second = try await before.open("door", as: client.key, by: DoorClient.visitor).session.id
    let meanwhile = Meanwhile()
    let host = try host(types: meanwhile.types)
    let session = try await host.living(client.id, as: client.key, in: "door")
    meanwhile.enter("8", in: session, as: try #require(host.host.owner(of: client.credential)))
    #expect(try await host.find(second, as: client.key, in: "door").text == "none")
    #expect(host.host.count == 1)
  }

  /// A client that has not signed in, and the id of a second session of it. Both sessions are in the store alone.
  private func clientWithTwo() async throws -> (client: DoorClient, second: String) {
    let before = try host()
    let client = try DoorClient(of: before.host)
    let session = try await before.living(client.id, as: client.key, in: "door")
    // A session is stored from its first turn on.
    session.enter { $0.version }
    #expect(await session.stored() == nil)
    let second = try await before.open("door", as: client.key, by: DoorClient.visitor).session.id
    return (client, second)
  }

  @Test func `is shown in another session that was read from the store before it`() async throws {
    let (first, second) = try await clientWithTwo()
    var client = first
    let store = HeldClaims(MemorySessions(sharing: store))
    let host = try host(store)
    _ = try await host.living(client.id, as: client.key, in: "door")
    store.holds.withLock { $0 = true }
    async let fetched = host.fetch(.session(second, for: first.credential))
    let answer = try await store.next()
    try await client.enter("7", in: host)
    answer()
    #expect(await fetched == nil)
    #expect(try await host.state(second, as: client.key, in: "door")?["name"] == "Person 7")
  }

  @Test func `is shown in another session whose view model was made before it`() async throws {
    let (client, second) = try await clientWithTwo()
    let meanwhile = Meanwhile()
    let host = try host(types: meanwhile.types)
    let session = try await host.living(client.id, as: client.key, in: "door")
    meanwhile.enter("7", in: session, as: client.credential)
    #expect(await host.fetch(.session(second, for: client.credential)) == nil)
    let read = try #require(host.host.table.inMemory(second))
    #expect(try read.now { try $0.snapshot() }.value["state"]?["name"] == "Person 7")
  }

  @Test func `has no request done that waits in the user's own session while the user signs out`() async throws {
    let host = try host()
    let other = try await DoorClient.of("7", in: host)
    let own = try await host.opening("note", as: other.key).session
    let early = Requester(try #require(host.host.table.client(of: other.credential)))
    try await DoorClient.of("7", in: host).perform("leaveEverywhere", in: host)
    try await host.swept()
    #expect(await own.read(from: early).error == "\(SessionError.left)")
  }

  @Test
  func `is signed out by an operator, and the user's own session ends, in memory and in the store`() async throws {
    let before = try host()
    let away = try await DoorClient.of("7", in: before)
    let own = try await before.opening("note", as: away.key).session
    try own.now { try $0.rename("mine") }
    #expect(await own.stored() == nil)
    let host = try host()
    let (client, other) = (try await DoorClient.of("7", in: host), try await DoorClient.of("8", in: host))
    // The sessions that are in the store alone count as the user's as well.
    let users = try await host.host.page(SessionFilter(user: "7")).sessions
    #expect(Set(users.map(\.id)) == [away.id, own.id, client.id])
    #expect(Set(users.filter(\.isStored).map(\.id)) == [away.id, own.id])
    #expect(try await host.host.end(allOf: "7") == 3)
    for client in [away, client] { #expect(try await client.find(in: host).text == "signed out") }
    #expect(try await other.state(in: host)?["name"] == "Person 8")
    try await host.swept()
    #expect(try await host.host.page().sessions.map(\.id) == [other.id])
    #expect(store.count().living == 1)
  }

  @Test func `takes no session of a user to the next one, also of those in the store alone`() async throws {
    let before = try host()
    var client = try DoorClient(of: before.host)
    let nobodys = client.id
    try await client.enter("7", in: before)
    var opened: [Session] = []
    for _ in 0..<2 {
      let session = try await before.opening("door", as: client.key, by: DoorClient.visitor).session
      _ = try before.host.find("door", session.id, as: client.credential)
      _ = try session.now { $0.version }
      #expect(await session.stored() == nil)
      opened.append(session)
    }
    #expect(store.count().living == 3)
    let host = try host()
    let outcome = try await client.perform(
      "enter", "8", in: host.living(opened[0].id, as: client.key, in: "door"),
      as: try #require(host.host.owner(of: client.credential)))
    let last = try client.newKey(outcome)
    #expect(store.count().living == 2)
    for id in [opened[0].id, nobodys] {
      #expect(try await host.state(id, as: last, in: "door")?["name"] == "Person 8")
    }
    #expect(try await host.find(opened[1].id, as: last, in: "door").text == "none")
  }

  @Test func `is not known where requests prove no users any more, if they had to`() async throws {
    let host = try host()
    let client = try DoorClient(of: host.host)
    #expect(host.host.bind(client.credential, to: User(id: "7")))
    try await host.swept()
    #expect(try await client.find(in: host).text == "session")
    let next = try StoredHost(MemorySessions(sharing: store), types: DoorClient.types) { $0.takesProofs = false }
    #expect(try await client.find(in: next).text == "none")
    #expect(next.host.user(of: client.credential) == nil)
  }

  @Test func `has to go on proving its user after a view model has signed it in or out`() async throws {
    let host = try host()
    var client = try DoorClient(of: host.host)
    #expect(host.host.bind(client.credential, to: User(id: "7")))
    try await client.enter("7", in: host)
    #expect(host.host.dismissUnproved(client.credential))
  }
}
