// SPDX-License-Identifier: MIT
import JSONPatching
import Locking
import Testing
import ViewModels

@testable import Sessions
@testable import Storing

@Suite(.timeLimit(.minutes(30))) struct `A room` {
  private let store = MemorySessions()

  /// The next process, on the same store.
  private func next(_ configure: (inout SessionConfiguration) -> Void = { _ in }) throws -> StoredHost {
    try StoredHost(
      MemorySessions(sharing: store), types: [Hall.hosted, .hosting { Door($0) }], configure: configure)
  }

  /// A hall with two clients in it, each with a user or without.
  private func inHall(
    _ first: User? = nil, _ second: User? = nil, _ configure: (inout SessionConfiguration) -> Void = { _ in }
  ) async throws -> (hall: String, Guest, Guest) {
    let host = try next(configure)
    var guests: [Guest] = []
    for user in [first, second] {
      let guest = if let user { try await Guest(of: host, user) } else { Guest(of: host) }
      guests.append(guest)
    }
    let hall = try await guests[0].enter()
    try await guests[1].enter()
    return (hall, guests[0], guests[1])
  }

  @Test func `is one session for all clients that open it with the same parameters`() async throws {
    let host = try next()
    var (anna, bob) = (Guest(of: host), Guest(of: host))
    let blue = try await anna.enter(["hall": "blue"])
    try await anna.perform("add", "hello", in: blue)
    #expect(try await bob.enter(["hall": "blue"]) == blue)
    #expect(try await bob.state(blue)["notes"] == ["nobody: hello"])
    #expect(anna.key != bob.key)
    // Parameters that mean the same are the same.
    #expect(try await bob.enter(["floor": .null, "hall": "blue"]) == blue)
    #expect(try await bob.enter(["floor": 1, "hall": "blue"]) != blue)
    #expect(try await bob.enter(["hall": "red"]) != blue)
  }

  @Test func `is entered by its id too, by any client that may enter`() async throws {
    let host = try next()
    var (anna, bob) = (Guest(of: host), Guest(of: host))
    let blue = try await anna.enter(["hall": "blue"])
    let red = try await bob.enter(["hall": "red"])
    #expect(try await bob.state(blue)["notes"] == [])
    #expect(try await anna.state(red)["notes"] == [])
    #expect(try await host.find(blue, as: nil, in: "hall").text == "none")
    #expect(try await host.find(blue, as: "nobody's", in: "hall").text == "none")
    #expect(try await host.find(blue, as: bob.key, in: "door").text == "none")
  }

  @Test func `refuses whoever may not enter, without a word about whether it exists`() async throws {
    let host = try next()
    var (anna, out) = (try await Guest(of: host, User(id: "anna")), try await Guest(of: host, User(id: "out")))
    var nobody = Guest(of: host)
    try await nobody.enter(["hall": "open"])
    let living = try await anna.enter(["hall": ".users"])
    for name in [".users", ".none"] {
      let params: JSON = ["hall": .string(name)]
      #expect(await out.refusal(of: params) == "\(SessionError.notAdmitted(model: "hall"))")
      #expect(await nobody.refusal(of: params) == "\(SessionError.signInNeeded(model: "hall"))")
    }
    for guest in [out, nobody] { #expect(try await host.find(living, as: guest.key, in: "hall").text == "none") }
    #expect(host.host.count == 2)
  }

  @Test func `comes back from the store as it was, for whoever may enter`() async throws {
    var anna = try await Guest(of: next(), User(id: "anna"))
    let hall = try await anna.enter(["hall": ".users"])
    try await anna.perform("add", "hello", in: hall)
    let host = try next()
    var (bob, out) = (try await Guest(of: host, User(id: "bob")), try await Guest(of: host, User(id: "out")))
    #expect(try await host.find(hall, as: out.key, in: "hall").text == "none")
    #expect(try await bob.state(hall)["notes"] == ["anna: hello"])
    #expect(try await bob.enter(["hall": ".users"]) == hall)
  }

  @Test func `is opened anew by its parameters after a restart, by a client that the store does not know`() async throws
  {
    var anna = Guest(of: try next())
    let hall = try await anna.enter()
    try await anna.perform("add", "hello", in: hall)
    var bob = Guest(of: try next())
    #expect(try await bob.enter() == hall)
    #expect(try await bob.state(hall)["notes"] == ["nobody: hello"])
  }

  @Test func `knows a member that has nothing else, after a restart`() async throws {
    var anna = Guest(of: try next())
    let hall = try await anna.enter()
    try await anna.perform("add", "hello", in: hall)
    let host = try next()
    #expect(try await host.find(hall, as: anna.key, in: "hall").text == "session")
  }

  @Test func `is ended for all by an action, whose answer comes first, and is another one when it is opened again`()
    async throws
  {
    let host = try next()
    var (anna, bob) = (Guest(of: host), Guest(of: host))
    let hall = try await anna.enter()
    try await bob.enter()
    let waiting = try await bob.wait(hall)
    #expect(try await anna.perform("end", in: hall)["patch"] == [])
    guard case .closed = await waiting.value else {
      return #expect(Bool(false), "the reader was to be told of the end")
    }
    // The answer may be there a moment before the room is not.
    while try await host.find(hall, as: bob.key, in: "hall").text == "session" { await Task.yield() }
    #expect(try await host.find(hall, as: bob.key, in: "hall").text == "none")
    let other = try await bob.enter()
    #expect(other != hall)
    #expect(try await bob.enter() == other)
  }

  @Test func `is ended by a command when that is over, whose result comes first`() async throws {
    let (hall, anna, bob) = try await inHall()
    let frame = try await anna.perform("finish", in: hall, waits: true)
    #expect(frame["result"] == 7)
    #expect("\(frame["patch"] ?? .null)".contains("the end"))
    // The answer may be there a moment before the room is not.
    while try await anna.host.find(hall, as: bob.key, in: "hall").text == "session" { await Task.yield() }
    #expect(try await anna.host.find(hall, as: bob.key, in: "hall").text == "none")
  }

  @Test func `goes on if the action that was to end it fails`() async throws {
    var anna = Guest(of: try next())
    let hall = try await anna.enter()
    await #expect(throws: ViewModelFailure.self) { try await anna.perform("endInVain", in: hall) }
    try await anna.perform("add", "hello", in: hall)
    #expect(try await anna.state(hall)["notes"] == ["nobody: hello"])
  }

  @Test func `says who acts, and has no user of its own`() async throws {
    let (hall, anna, bob) = try await inHall(User(id: "anna"))
    try await anna.perform("add", "one", in: hall)
    try await bob.perform("add", "two", in: hall)
    #expect(try await anna.state(hall)["notes"] == ["anna: one", "nobody: two"])
    #expect(try await anna.state(hall)["user"] == "nobody")
  }

  @Test func `signs nobody in or out`() async throws {
    let host = try next()
    var anna = try await Guest(of: host, User(id: "anna"))
    let hall = try await anna.enter()
    await #expect(throws: ViewModelFailure.self) { try await anna.perform("enter", "bob", in: hall) }
    await #expect(throws: ViewModelFailure.self) { try await anna.perform("leave", in: hall) }
    #expect(host.host.user(of: try #require(anna.credential))?.id == "anna")
  }

  @Test func `lets an action be done by those alone that it is for`() async throws {
    let (hall, owner, guest) = try await inHall(User(id: "anna", roles: ["owner"]), User(id: "bob"))
    try await owner.perform("hide", "treasure", in: hall)
    await #expect(throws: ChangesRefused.self) { try await guest.perform("hide", "nothing", in: hall) }
    await #expect(throws: ChangesRefused.self) { try await guest.perform("close", in: hall) }
    #expect(try await owner.state(hall)["secret"] == "treasure")
  }

  @Test func `shows each reader what is for it, in states, in single values and in frames`() async throws {
    let (hall, owner, guest) = try await inHall(User(id: "anna", roles: ["owner"]), User(id: "bob"))
    let (before, shown) = (try await owner.snapshot(hall), try await guest.snapshot(hall))
    #expect(before["state"]?["secret"] == "nothing")
    #expect(before["state"]?["close"]?["enabled"] == true)
    #expect(shown["state"]?["secret"] == nil)
    #expect(shown["state"]?["close"]?["enabled"] == false)
    let (room, requester) = try await guest.request(hall)
    #expect(try await room.read(for: requester) { try $0.value(["secret"]) } == nil)
    try await owner.perform("hide", "treasure", in: hall)
    #expect(
      try await owner.frame(hall, since: before["version"])["patch"]
        == [["op": "add", "path": "/secret", "value": "treasure"]])
    #expect(try await guest.frame(hall, since: shown["version"])["patch"] == [])
    // A version is of what one reader was shown. Another reader's is as good as none.
    #expect(try await guest.frame(hall, since: before["version"])["state"]?["secret"] == nil)
    #expect(try await owner.frame(hall, since: shown["version"])["state"]?["secret"] == "treasure")
  }

  @Test func `shows a reader anew who has other roles`() async throws {
    let host = try next { $0.takesProofs = true }
    var guest = try await Guest(of: host, User(id: "bob"))
    let hall = try await guest.enter()
    let before = try await guest.snapshot(hall)["version"]
    let waiting = try await guest.wait(hall)
    guest.prove(User(id: "bob", roles: ["owner"]))
    guard case .displaced = await waiting.value else { return #expect(Bool(false), "the reader was to come again") }
    #expect(try await guest.frame(hall, since: before)["state"]?["secret"] == "nothing")
  }

  @Test func `lets a reader go whose user may not stay`() async throws {
    let host = try next { $0.takesProofs = true }
    var guest = Guest(of: host)
    let hall = try await guest.enter()
    let waiting = try await guest.wait(hall)
    guest.prove(User(id: "out"))
    guard case .displaced = await waiting.value else { return #expect(Bool(false), "the reader was to come again") }
    #expect(try await host.find(hall, as: guest.key, in: "hall").text == "none")
  }

  @Test func `lets a reader go at the next change if its rule has come to refuse it meanwhile`() async throws {
    let isOpen = Locked(true)
    let scope = SessionScope.room { (_: Hall.Params, user) in user?.id == "anna" || isOpen.withLock { $0 } }
    let host = try StoredHost(MemorySessions(), types: [.hosting(scope: scope) { Hall($0) }])
    var (anna, bob) = (
      try await Guest(of: host, User(id: "anna")), try await Guest(of: host, User(id: "bob"))
    )
    let hall = try await anna.enter()
    try await bob.enter()
    let waiting = try await bob.wait(hall)
    isOpen.withLock { $0 = false }
    try await anna.perform("add", "not for Bob", in: hall)
    // It may ask at once, and is refused then.
    guard case .displaced(0) = await waiting.value else { return #expect(Bool(false), "the reader was to come again") }
  }

  @Test func `has a user's other clients come again when one has come with other claims`() async throws {
    let host = try next { $0.takesProofs = true }
    let owner = User(id: "bob", roles: ["owner"])
    var (desk, phone) = (try await Guest(of: host, owner), try await Guest(of: host, owner))
    let hall = try await desk.enter()
    try await phone.enter()
    for guest in [desk, phone] { guest.prove(owner) }
    let waiting = try await phone.wait(hall)
    desk.prove(User(id: "bob"))
    guard case .displaced = await waiting.value else { return #expect(Bool(false), "the reader was to come again") }
    // A client counts as what it has shown itself: nothing goes to and fro between the two.
    let again = try await desk.wait(hall)
    phone.prove(owner)
    #expect(try await phone.state(hall)["secret"] == "nothing")
    try await phone.perform("add", "hello", in: hall)
    guard case .changed = await again.value else { return #expect(Bool(false), "the reader was to go on") }
  }

  @Test func `goes on when everybody is signed out, and nobody waits in it`() async throws {
    let host = try next()
    var guest = Guest(of: host)
    let hall = try await guest.enter()
    try await guest.perform("add", "hello", in: hall)
    let waiting = try await guest.wait(hall)
    _ = try await host.host.services.signIns.endAll()
    guard case .displaced = await waiting.value else { return #expect(Bool(false), "the reader was to come again") }
    #expect(try await host.find(hall, as: guest.key, in: "hall").text != "session")
    var other = Guest(of: host)
    #expect(try await other.enter() == hall)
    #expect(try await other.state(hall)["notes"] == ["nobody: hello"])
  }

  @Test func `counts each member's actions by themselves`() async throws {
    let host = try next { $0.actionRate = Rate(1, per: .seconds(60), burst: 2) }
    var (anna, bob) = (Guest(of: host), Guest(of: host))
    let hall = try await anna.enter()
    try await bob.enter()
    for _ in 0..<2 { try await anna.perform("add", "a", in: hall) }
    let error = await #expect(throws: SessionError.self) { try await anna.perform("add", "a", in: hall) }
    #expect(error.map { "\($0)" }?.hasPrefix("this client has acted too often in rooms of late; expected") == true)
    try await bob.perform("add", "b", in: hall)
    // Another room is no way round it.
    let red = try await anna.enter(["hall": "red"])
    await #expect(throws: SessionError.self) { try await anna.perform("add", "a", in: red) }
  }

  @Test func `refuses a reader too many, and lets go of nobody for it`() async throws {
    let (hall, anna, bob) = try await inHall { $0.maxReadersOfRoom = 1 }
    let hers = try await anna.wait(hall)
    guard case .failed(.tooManyReaders(limit: 1)) = try await bob.wait(hall).value else {
      return #expect(Bool(false), "the reader was to be refused")
    }
    try await bob.perform("add", "hello", in: hall)
    guard case .changed = await hers.value else { return #expect(Bool(false), "the first was to go on") }
    // There is a place again.
    let his = try await bob.wait(hall)
    try await anna.perform("add", "hi", in: hall)
    guard case .changed = await his.value else { return #expect(Bool(false), "there was to be a place") }
  }

  @Test func `is opened no more often by one client than sessions are`() async throws {
    let host = try next { $0.openingRate = Rate(1, per: .seconds(60), burst: 2) }
    var (anna, bob) = (Guest(of: host), Guest(of: host))
    for name in ["1", "2"] { try await anna.enter(["hall": .string(name)]) }
    await #expect(throws: SessionError.self) { try await anna.enter(["hall": "3"]) }
    try await bob.enter(["hall": "3"])
  }

  @Test func `stays in the store for ever, or for its own time`() async throws {
    for (type, isThere) in [(Hall.hosted, true), (Hall.hosted(for: .seconds(86_400)), false)] {
      let store = MemorySessions()
      let host = try StoredHost(store, types: [type])
      var guest = Guest(of: host)
      let hall = try await guest.enter()
      // A room in which anybody may be is kept for a day alone until it has had ten versions.
      for _ in 0..<10 { try await guest.perform("add", "hello", in: hall) }
      // Other sessions are kept for ten days.
      try await host.pass(20 * 86_400, by: 86_400)
      try await host.pass(3)
      #expect((store.count().living == 1) == isThere)
      #expect(host.host.count == 0)
    }
  }

  @Test func `answers a command that another member ends to each as that one may see it`() async throws {
    let (hall, owner, guest) = try await inHall(User(id: "anna", roles: ["owner"]), User(id: "bob"))
    let waiting = Task { [owner] in try await owner.perform("wait", in: hall, waits: true) }
    // The owner waits for its command from the moment that it is shown as executing.
    while try await guest.state(hall)["wait"]?["executing"] != true { await Task.yield() }
    let before = try await guest.snapshot(hall)["version"]
    let told = try await guest.cancel("wait", in: hall)
    #expect(told["from"] == before)
    #expect(told["state"]?["secret"] == nil)
    #expect(try await waiting.value["to"] != told["to"])
  }

  @Test func `shows the results of a command to those alone that it is for`() async throws {
    let (hall, owner, guest) = try await inHall(User(id: "anna", roles: ["owner"]), User(id: "bob"))
    _ = try await guest.state(hall)
    #expect(try await owner.perform("count", in: hall, waits: true)["result"] == 7)
    #expect(try await owner.state(hall)["count"]?["result"] == 7)
    #expect(try await guest.state(hall)["count"]?["result"] == .null)
  }

  @Test func `is none of a session that was stored for one client`() async throws {
    let host = try StoredHost(
      MemorySessions(sharing: store), types: [.hosting { (context: SessionContext) in Hall(context) }])
    var guest = Guest(of: host)
    let own = try await guest.enter()
    try await guest.perform("add", "mine", in: own)
    let later = try next()
    var other = Guest(of: later)
    try await other.enter(["hall": "red"])
    #expect(try await later.find(own, as: other.key, in: "hall").text == "none")
    #expect(try await later.find(own, as: guest.key, in: "hall").text == "none")
  }
}
