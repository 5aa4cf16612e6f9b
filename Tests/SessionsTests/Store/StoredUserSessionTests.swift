// SPDX-License-Identifier: MIT
import JSONPatching
import Locking
import ObservableCore
import Testing
import ViewModels

@testable import Sessions

/// A view model that signs a user in, with the roles that a client names.
private final class Hall: ViewModel {
  let context: SessionContext
  init(_ context: SessionContext) { self.context = context }
  func enter(_ roles: [String]) throws { try context.signIn(User(id: "7", roles: Set(roles))) }
  func leave() throws { try context.signOut() }
  static let surface = Surface<Hall>("hall", .action("enter", Hall.enter), .action("leave", Hall.leave))
}

/// A user's own view model, which shows its user's roles and its client.
private final class Desk: ViewModel {
  let context: SessionContext
  lazy var roles = Computed(self) { try ($0.context.user.get()?.roles ?? []).sorted() }
  lazy var client = Observable(context.client)
  /// The roles of its user when it was woken.
  let woken = Observable<[String]?>(nil)
  init(_ context: SessionContext) { self.context = context }
  func arm(_ seconds: Int) throws { try context.wake(in: .seconds(seconds), for: "alarm") }
  func ring(_ name: String) throws { woken.value = try roles.get() }
  static let surface = Surface<Desk>(
    "desk", .value("roles", \.roles), .value("client", \.client), .value("woken", \.woken), .action("arm", Desk.arm),
    .onWake(Desk.ring))
}

@Suite(.timeLimit(.minutes(5))) struct `A user's own session, in a host with a store` {
  private static let types: [HostedModelType] = [.hosting { Hall($0) }, .hosting(scope: .user) { Desk($0) }]

  /// Opens a session as a request does.
  private func open(_ name: String, as key: String?, _ host: StoredHost) async throws -> SessionHost.Opened {
    let credential = key.map { Credential(hashing: $0) }
    while true {
      do { return try host.host.open(name, as: credential) } catch let missing as SessionsToFetch {
        let failure = await withCheckedContinuation { done in
          host.host.fetch(missing) { done.resume(returning: $0.failure) }
        }
        if let failure { throw failure }
      }
    }
  }

  private func perform(
    _ action: String, _ value: JSON? = nil, in id: String, as key: String, _ host: StoredHost
  ) async throws -> String {
    guard case .session(let session) = try await host.find(id, as: key, in: "hall"),
      let client = host.host.owner(of: Credential(hashing: key))
    else { throw SessionError.expired }
    let request = ChangeRequest(
      .success(.changes([.perform([action], value)], isList: false, since: nil, ifMatch: nil)), key: nil,
      from: Requester(client)
    ) { ChangeRequest.Refusal($0, kept: nil) }
    let outcome = try await withCheckedThrowingContinuation { done in
      session.apply(request) { done.resume(with: $0) }
    }
    guard case .signed(_, let newKey) = outcome else { throw SessionError.expired }
    return newKey
  }

  private func state(_ id: String, as key: String, _ host: StoredHost) async throws -> JSON? {
    guard case .session(let session) = try await host.find(id, as: key, in: "desk") else { return nil }
    return try session.now { try $0.snapshot() }.value["state"]
  }

  /// A store in which a user has a session of their own, stored with a role.
  private func stored() async throws -> (store: MemorySessions, hall: String, desk: String, key: String, shown: JSON?) {
    let store = MemorySessions()
    let host = try StoredHost(store, types: Self.types)
    let hall = try await open("hall", as: nil, host)
    let key = try await perform("enter", ["owner"], in: hall.session.id, as: try #require(hall.newKey), host)
    let desk = try await open("desk", as: key, host).session
    let shown = try await state(desk.id, as: key, host)
    #expect(await desk.stored() == nil)
    return (store, hall.session.id, desk.id, key, shown)
  }

  @Test func `has the roles that its user has when it comes back, and not those that it was stored with`() async throws
  {
    let (store, hall, desk, key, shown) = try await stored()
    #expect(shown?["roles"] == ["owner"])
    let host = try StoredHost(MemorySessions(sharing: store), types: Self.types)
    let newKey = try await perform("enter", [], in: hall, as: key, host)
    #expect(try await state(desk, as: newKey, host)?["roles"] == [])
  }

  @Test func `is made again for nobody but its user, whatever else there is of it`() async throws {
    let (store, _, desk, key, shown) = try await stored()
    let host = try StoredHost(MemorySessions(sharing: store), types: Self.types)
    let strange = try #require(try await open("hall", as: nil, host).newKey)
    #expect(try await state(desk, as: strange, host) == nil)
    #expect(host.host.count == 1)
    #expect(try await state(desk, as: key, host) == shown)
  }

  @Test func `calls its client the same when it comes back`() async throws {
    let (store, _, desk, key, shown) = try await stored()
    let host = try StoredHost(MemorySessions(sharing: store), types: Self.types)
    #expect(try await state(desk, as: key, host)?["client"] == shown?["client"])
  }

  @Test func `is woken by its timer while nobody asks for it, and has its user then`() async throws {
    let (store, _, desk, key, _) = try await stored()
    let first = try StoredHost(MemorySessions(sharing: store), types: Self.types)
    guard case .session(let session) = try await first.find(desk, as: key, in: "desk") else {
      throw SessionError.expired
    }
    _ = try session.now { try $0.perform(["arm"], 60, since: nil, ifMatch: nil) }
    #expect(await session.stored() == nil)
    let second = try StoredHost(MemorySessions(sharing: store), types: Self.types, startingAhead: .seconds(61))
    try await second.tend()
    // The timer has acted before a request comes.
    #expect(store.due(by: .max, after: nil, limit: 9) == [])
    #expect(try await state(desk, as: key, second)?["woken"] == ["owner"])
  }

  @Test func `keeps the sign-in of a client that uses nothing else, for as long as it comes`() async throws {
    let store = MemorySessions()
    let host = try StoredHost(store, types: Self.types)
    let hall = try await open("hall", as: nil, host)
    let key = try await perform("enter", ["owner"], in: hall.session.id, as: try #require(hall.newKey), host)
    let desk = try await open("desk", as: key, host).session.id
    _ = try await state(desk, as: key, host)
    host.host.close(hall.session)
    for _ in 0..<20 {
      host.clock.advance(by: .seconds(24 * 60 * 60))
      host.host.expire()
      // Wait until the sessions that are to leave memory have left.
      try await host.swept()
      await host.host.drained()
      #expect(try await state(desk, as: key, host)?["roles"] == ["owner"])
      // A second request, one second after the session was read from the store.
      host.clock.advance(by: .seconds(1))
      _ = try await state(desk, as: key, host)
      for _ in 0..<3 {
        host.host.expire()
        try await host.swept()
        host.clock.advance(by: .seconds(60))
      }
    }
    // The session in which the client signed in is long forgotten.
    #expect(store.count().living + store.count().closed == 1)
    #expect(store.client(of: Credential(hashing: key)) != nil)
    // No client comes for longer than the store keeps anything.
    for _ in 0..<12 {
      host.clock.advance(by: .seconds(24 * 60 * 60))
      host.host.expire()
      try await host.swept()
    }
    #expect(store.client(of: Credential(hashing: key)) == nil)
  }
}

@Suite(.timeLimit(.minutes(5))) struct `A user's own session, in a host without a store` {
  private let clock = ManualClock()

  private func host() -> SessionHost {
    SessionHost(
      [.hosting { Hall($0) }, .hosting(scope: .user) { Desk($0) }], configuration: .unhurried,
      now: { [clock] in clock.now })
  }

  /// Signs a client in, and closes the session in which it did so. Returns the client's new key.
  private func signIn(_ host: SessionHost) async throws -> String {
    let hall = try host.open("hall", as: nil)
    let first = Credential(hashing: try #require(hall.newKey))
    let request = ChangeRequest(
      .success(.changes([.perform(["enter"], ["owner"])], isList: false, since: nil, ifMatch: nil)), key: nil,
      from: Requester(first)
    ) { ChangeRequest.Refusal($0, kept: nil) }
    let outcome = try await withCheckedThrowingContinuation { done in
      hall.session.apply(request) { done.resume(with: $0) }
    }
    guard case .signed(_, let key) = outcome else { throw SessionError.expired }
    host.close(hall.session)
    return key
  }

  @Test func `keeps the sign-in of a client that uses nothing else, and forgets it a day after the last use`()
    async throws
  {
    let host = host()
    let key = try await signIn(host)
    let credential = Credential(hashing: key)
    let desk = try host.open("desk", as: credential).session.id
    _ = try host.find("desk", desk, as: credential)
    for _ in 0..<150 {
      clock.advance(by: .seconds(20 * 60))
      host.expire()
      guard case .session(let session) = try host.find("desk", desk, as: credential) else {
        Issue.record("it is forgotten")
        return
      }
      _ = try session.now { $0.version }
    }
    clock.advance(by: .seconds(23 * 60 * 60))
    host.expire()
    #expect(host.table.state.withLock { $0.clients.knows(credential) })
    clock.advance(by: .seconds(60 * 60))
    host.expire()
    host.expire()
    #expect(!host.table.state.withLock { $0.clients.knows(credential) })
  }
}

@Suite struct `The clients with an identity` {
  @Test func `are as many at most as there may be, and those go first who did not come for longest`() {
    var table = ClientTable(isStored: false, mostIdentified: 8)
    func owner(_ number: Int) -> Credential { Credential(hashing: "\(number)") }
    for number in 0..<100 {
      table.identify(owner(number), as: .init(Credential(hashing: "new \(number)"), User(id: "7")))
      table.noteIdentified(owner(number), at: number)
      table.noteUse(of: owner(0), at: number)
    }
    #expect(table.identified.count == 8)
    #expect(table.owners.count == 8)
    #expect((0..<100).filter { table.identity(of: owner($0)) != nil } == [0] + Array(93..<100))
  }

  @Test func `are each there once, however often they sign in`() {
    var table = ClientTable(isStored: false, mostIdentified: 8)
    let owner = Credential(hashing: "1")
    for number in 0..<100 {
      table.identify(owner, as: .init(Credential(hashing: "new \(number)"), User(id: "7")))
      table.noteIdentified(owner, at: number)
    }
    #expect(table.identified.count == 1)
    #expect(table.owners.count == 1)
  }
}
