// SPDX-License-Identifier: MIT
import JSONPatching
import Locking
import Testing
import ViewModels

@testable import Sessions

@Suite(.timeLimit(.minutes(5))) struct `A client that signs in, in a host with a store` {
  static let types: [HostedModelType] = [.hosting { Door($0) }, .hosting { Note() }]

  /// Opens a session and finds it, as a client's next request does.
  func open(_ host: StoredHost) async throws -> (id: String, key: String) {
    let opened = try host.host.open(
      "door", as: nil, by: Visitor(languages: ["de"], timeZone: "Europe/Vienna", params: ["door": 7]))
    let key = try #require(opened.newKey)
    _ = try host.host.find("door", opened.session.id, as: Credential(hashing: key))
    return (opened.session.id, key)
  }

  func perform(
    _ action: String, _ value: JSON? = nil, in id: String, as key: String, _ host: StoredHost
  ) async throws -> ChangeRequest.Outcome {
    let credential = Credential(hashing: key)
    guard case .session(let session) = try await host.find(id, as: key, in: "door") else { throw SessionError.expired }
    let owner = try #require(host.host.owner(of: credential))
    let request = ChangeRequest(
      .success(.changes([.perform([action], value)], isList: false, since: nil, ifMatch: nil)), key: nil,
      from: Requester(owner)
    ) { ChangeRequest.Refusal($0, kept: nil) }
    return try await withCheckedThrowingContinuation { done in session.apply(request) { done.resume(with: $0) } }
  }

  func enter(_ user: String, in id: String, as key: String, _ host: StoredHost) async throws -> String {
    guard case .signed(_, let newKey) = try await perform("enter", .string(user), in: id, as: key, host) else {
      throw SessionError.expired
    }
    return newKey
  }

  func state(_ id: String, as key: String, _ host: StoredHost) async throws -> JSON? {
    guard case .session(let session) = try await host.find(id, as: key, in: "door") else { throw SessionError.expired }
    return try session.now { try $0.snapshot() }.value["state"]
  }

  @Test func `is known by its present credential after a restart, with its user, and not by the first`() async throws {
    let store = MemorySessions()
    let host = try StoredHost(store, types: Self.types)
    let (id, first) = try await open(host)
    let second = try await enter("7", in: id, as: first, host)
    _ = try await perform("add", "mine", in: id, as: second, host)
    let shown = try await state(id, as: second, host)
    #expect(
      shown == ["name": "Person 7", "language": "de", "number": 7, "notes": ["mine"]])
    let next = try StoredHost(MemorySessions(sharing: store), types: Self.types)
    // The first request after the restart has the credential from before signing in.
    guard case .refused(.credentialReplaced) = try await next.find(id, as: first, in: "door") else {
      Issue.record("the first credential counts")
      return
    }
    // The first credential is refused too if another client's request has had the session read before.
    let third = try StoredHost(MemorySessions(sharing: store), types: Self.types)
    #expect(try await `A host`.isFound(third.find(id, as: "another", in: "door")) == "none")
    #expect(try await `A host`.isFound(third.find(id, as: first, in: "door")) != "session")
    #expect(try await state(id, as: second, next) == shown)
    let user = next.host.user(of: Credential(hashing: second))
    #expect(user == User(id: "7", name: "Person 7", roles: ["a", "b"], claims: ["since": 1999]))
  }

  @Test func `ends where that cannot be stored, and nobody has its sessions`() async throws {
    let store = RefusingStore()
    let host = try StoredHost(store, types: Self.types)
    let (id, first) = try await open(host)
    store.refuses.withLock { $0 = true }
    await #expect(throws: SessionError.self) { try await enter("7", in: id, as: first, host) }
    store.refuses.withLock { $0 = false }
    #expect(try await `A host`.isFound(host.find(id, as: first, in: "door")) != "session")
    // The client begins anew.
    let (next, key) = try await open(host)
    #expect(try await state(next, as: key, host)?["name"] == "nobody")
  }

  @Test func `is signed out everywhere, of clients that are in the store alone too`() async throws {
    let store = MemorySessions()
    let before = try StoredHost(store, types: Self.types)
    let (away, awayFirst) = try await open(before)
    let awayKey = try await enter("7", in: away, as: awayFirst, before)
    let host = try StoredHost(MemorySessions(sharing: store), types: Self.types)
    let (id, first) = try await open(host)
    let key = try await enter("7", in: id, as: first, host)
    let outcome = try await perform("leaveEverywhere", in: id, as: key, host)
    try await host.swept()
    guard case .signed(_, let last) = outcome else {
      Issue.record("no new key")
      return
    }
    #expect(try await state(id, as: last, host)?["name"] == "nobody")
    guard case .refused(.signedOut) = try await host.find(away, as: awayKey, in: "door") else {
      Issue.record("the other client's credential counts")
      return
    }
    // After another restart, the store knows this credential no better than one that never was.
    let next = try StoredHost(MemorySessions(sharing: store), types: Self.types)
    #expect(try await `A host`.isFound(next.find(away, as: awayKey, in: "door")) == "none")
  }

  @Test func `is signed out where another server has done so, also if it could not be looked up at once`() async throws
  {
    let store = RefusingStore()
    let host = try StoredHost(store, types: Self.types)
    let (id, first) = try await open(host)
    let second = try await enter("7", in: id, as: first, host)
    let owner = try #require(host.host.owner(of: Credential(hashing: second)))
    let committer = try #require(host.host.keeper?.committer)
    /// Waits until the store has done all that it was asked for before.
    func settle() async {
      await withCheckedContinuation { done in
        committer.withStore { _ in
        } then: { _ in
          done.resume()
        }
      }
    }
    store.memory.put(ClientRecord(owner: owner, credential: nil, user: nil, changed: 9_999_999_999))
    store.refusesLookups.withLock { $0 = true }
    host.host.services.identities.hear(owner)
    await settle()
    #expect(host.host.owner(of: Credential(hashing: second)) == owner, "nobody could know")
    store.refusesLookups.withLock { $0 = false }
    host.host.keepIdentities()
    await settle()
    #expect(host.host.owner(of: Credential(hashing: second)) == nil)
  }

  @Test func `has requests handled anew that found the session before it`() async throws {
    let host = try StoredHost(MemorySessions(), types: Self.types)
    let (id, first) = try await open(host)
    guard case .session(let session) = try await host.find(id, as: first, in: "door") else {
      throw SessionError.expired
    }
    // A request with the first credential has found the session, and waits for the turn.
    let number = try host.host.look(for: id, "door", as: Credential(hashing: first), hasFetched: true).identityNumber
    let early = Requester(Credential(hashing: first), identityNumber: number)
    _ = try await enter("7", in: id, as: first, host)
    let request = ChangeRequest(
      .success(.changes([.perform(["add"], "theirs")], isList: false, since: nil, ifMatch: nil)), key: nil, from: early
    ) { ChangeRequest.Refusal($0, kept: nil) }
    let acted = await withCheckedContinuation { done in session.apply(request) { done.resume(returning: $0) } }
    guard case .failure(SessionError.left) = acted else {
      Issue.record("it was done: \(acted)")
      return
    }
    let read = await withCheckedContinuation { done in
      session.submit(from: early) { _ in
        true
      } then: {
        done.resume(returning: $0)
      }
    }
    guard case .failure(.left) = read else {
      Issue.record("it was read: \(read)")
      return
    }
  }

  /// Opens the note of a client's user.
  func openOwn(as key: String, _ host: StoredHost) async throws -> Session {
    do { return try host.host.open("note", as: Credential(hashing: key)).session } catch let missing as SessionsToFetch
    {
      let failure = await withCheckedContinuation { done in
        host.host.fetch(missing) { done.resume(returning: $0.failure) }
      }
      if let failure { throw failure }
      return try host.host.open("note", as: Credential(hashing: key)).session
    }
  }

  @Test func `is signed out by an operator, and the user's own session ends, in memory and in the store alone`()
    async throws
  {
    let types: [HostedModelType] = [.hosting { Door($0) }, .hosting(scope: .user) { Note() }]
    let store = MemorySessions()
    let before = try StoredHost(store, types: types)
    let (away, awayFirst) = try await open(before)
    let awayKey = try await enter("7", in: away, as: awayFirst, before)
    let own = try await openOwn(as: awayKey, before)
    _ = try own.now { try $0.rename("mine") }
    #expect(await own.stored() == nil)
    let host = try StoredHost(MemorySessions(sharing: store), types: types)
    let (id, first) = try await open(host)
    let key = try await enter("7", in: id, as: first, host)
    let (other, otherFirst) = try await open(host)
    let otherKey = try await enter("8", in: other, as: otherFirst, host)
    // The sessions that are in the store alone count as the user's as well.
    let users = try await host.host.page(SessionFilter(user: "7")).sessions
    #expect(Set(users.map(\.id)) == [away, own.id, id])
    #expect(Set(users.filter(\.isStored).map(\.id)) == [away, own.id])
    #expect(await host.host.ended(allOf: "7") == 3)
    for (id, key) in [(away, awayKey), (id, key)] {
      #expect(try await `A host`.isFound(host.find(id, as: key, in: "door")) == "refused")
    }
    #expect(try await state(other, as: otherKey, host)?["name"] == "Person 8")
    try await host.swept()
    #expect(try await host.host.page().sessions.map(\.id) == [other])
    #expect(store.count().living == 1)
  }

  @Test func `that is signed out does nothing more in the user's own sessions, though it waits for the turn there`()
    async throws
  {
    let types: [HostedModelType] = [.hosting { Door($0) }, .hosting(scope: .user) { Note() }]
    let host = try StoredHost(MemorySessions(), types: types)
    let (other, otherFirst) = try await open(host)
    let otherKey = try await enter("7", in: other, as: otherFirst, host)
    let own = try await openOwn(as: otherKey, host)
    let (_, client, number) = try host.host.look(
      for: own.id, "note", as: Credential(hashing: otherKey), hasFetched: true)
    let early = Requester(try #require(client), identityNumber: number)
    let (id, first) = try await open(host)
    let key = try await enter("7", in: id, as: first, host)
    _ = try await perform("leaveEverywhere", in: id, as: key, host)
    try await host.swept()
    let read = await withCheckedContinuation { done in
      own.submit(from: early) { _ in
        true
      } then: {
        done.resume(returning: $0)
      }
    }
    guard case .failure(.left) = read else {
      Issue.record("it was done: \(read)")
      return
    }
  }
}
