// SPDX-License-Identifier: MIT
import JSONPatching
import Locking
import Testing
import ViewModels

@testable import Sessions
@testable import Storing

@Suite(.timeLimit(.minutes(30))) struct `A user's own session, in a host with a store` {
  private let store = MemorySessions()

  /// The next process, on the same store.
  private func next(startingAhead: Duration = .zero) throws -> StoredHost {
    try StoredHost(MemorySessions(sharing: store), types: DoorClient.types, startingAhead: startingAhead)
  }

  /// A user's session that was stored with a role, with its client and the state that was shown.
  private func stored() async throws -> (client: DoorClient, desk: String, shown: JSON?) {
    let host = try next()
    var client = try DoorClient(of: host.host)
    try await client.take(["owner"], in: host)
    let desk = try await host.opening("desk", as: client.key).session
    let shown = try await host.state(desk.id, as: client.key, in: "desk")
    #expect(await desk.stored() == nil)
    return (client, desk.id, shown)
  }

  @Test func `has the roles that its user has when it comes back, and not the stored ones`() async throws {
    let (signedIn, desk, shown) = try await stored()
    #expect(shown?["roles"] == ["owner"])
    let host = try next()
    var client = signedIn
    try await client.take([], in: host)
    #expect(try await host.state(desk, as: client.key, in: "desk")?["roles"] == [])
  }

  @Test func `is made again as it was, and for nobody but its user`() async throws {
    let (client, desk, shown) = try await stored()
    let host = try next()
    let strange = try DoorClient(of: host.host)
    #expect(try await host.find(desk, as: strange.key, in: "desk").text != "session")
    #expect(host.host.count == 1)
    // It calls its client the same as before.
    #expect(shown?["client"] != nil)
    #expect(try await host.state(desk, as: client.key, in: "desk") == shown)
  }

  @Test func `is woken by its timer while nobody asks for it, and has its user then`() async throws {
    let (client, desk, _) = try await stored()
    let session = try await next().living(desk, as: client.key, in: "desk")
    _ = try session.now { try $0.perform(["arm"], 60, since: nil, ifMatch: nil) }
    #expect(await session.stored() == nil)
    let second = try next(startingAhead: .seconds(61))
    try await second.tend()
    // The timer has acted before a request comes.
    #expect(store.due(by: .max, after: nil, limit: 9) == [])
    #expect(try await second.state(desk, as: client.key, in: "desk")?["woken"] == ["owner"])
  }

  @Test func `keeps the sign-in of a client that uses nothing else, for as long as it comes`() async throws {
    let host = try next()
    var client = try DoorClient(of: host.host)
    try await client.take(["owner"], in: host)
    let desk = try await host.opening("desk", as: client.key).session.id
    func roles() async throws -> JSON? { try await host.state(desk, as: client.key, in: "desk")?["roles"] }
    _ = try await roles()
    host.host.close(try await host.living(client.id, as: client.key, in: "door"))
    let day = 24 * 60 * 60
    for _ in 0..<20 {
      // The sessions leave memory.
      try await host.pass(day, by: day)
      #expect(try await roles() == ["owner"])
      // A second request, one second after the session was read from the store.
      host.clock.advance(by: .seconds(1))
      _ = try await roles()
      host.host.expire()
      try await host.swept()
      try await host.pass(180, by: 60)
    }
    // The session in which the client signed in is long forgotten.
    #expect(store.count().living + store.count().closed == 1)
    #expect(store.client(of: client.credential) != nil)
    // No client comes for longer than the store keeps anything.
    try await host.pass(12 * day, by: day)
    #expect(store.client(of: client.credential) == nil)
  }
}

@Suite(.timeLimit(.minutes(30))) struct `A user's own session, in a host without a store` {
  @Test func `keeps the sign-in of a client that uses nothing else, until a day after the last use`() async throws {
    let clock = ManualClock()
    let host = SessionHost(DoorClient.types, configuration: .unhurried, now: { clock.now })
    let client = try DoorClient(of: host)
    guard case .session(let door) = try host.find("door", client.id, as: client.credential) else {
      throw SessionError.expired
    }
    // The client closes the session in which it has signed in.
    let key = try client.newKey(await client.perform("take", ["owner"], in: door, as: client.credential))
    let credential = Credential(hashing: key)
    host.close(door)
    let desk = try host.open("desk", as: credential).session.id
    for _ in 0..<151 {
      let found = try host.find("desk", desk, as: credential)
      #expect(found.text == "session")
      if case .session(let session) = found { _ = try session.now { $0.version } }
      clock.advance(by: .seconds(20 * 60))
      host.expire()
    }
    clock.advance(by: .seconds(23 * 60 * 60 - 20 * 60))
    host.expire()
    #expect(host.table.state.withLock { $0.clients.knows(credential) })
    clock.advance(by: .seconds(60 * 60))
    host.expire()
    host.expire()
    #expect(!host.table.state.withLock { $0.clients.knows(credential) })
  }
}

@Suite struct `The clients with an signIn` {
  private var table = ClientTable(isStored: false, mostSignedIn: 8)

  /// Signs a client in once more.
  private mutating func identify(_ owner: Credential, _ number: Int) {
    table.setSignIn(owner, to: .init(Credential(hashing: "new \(number)"), User(id: "7")))
    table.noteSignIn(owner, at: number)
  }

  @Test mutating func `are as many at most as there may be, and those that did not come for longest go first`() {
    func owner(_ number: Int) -> Credential { Credential(hashing: "\(number)") }
    for number in 0..<100 {
      identify(owner(number), number)
      table.noteUse(of: owner(0), at: number)
    }
    #expect(table.signedIn.count == 8)
    #expect(table.owners.count == 8)
    #expect((0..<100).filter { table.signIn(of: owner($0)) != nil } == [0] + Array(93..<100))
  }

  @Test mutating func `are each there once, however often they sign in`() {
    for number in 0..<100 { identify(Credential(hashing: "1"), number) }
    #expect(table.signedIn.count == 1)
    #expect(table.owners.count == 1)
  }
}
