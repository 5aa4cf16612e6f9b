// SPDX-License-Identifier: MIT
import EuripusTesting
import JSONPatching
import ObservableCore
import Testing
import ViewModels

private struct BoardParams: Codable, Equatable, JSONRepresentable {
  var board: Int
  var tab: String?
}

/// A view model that shows all that it knows of its session.
private final class Desk: ViewModel {
  let context: SessionContext
  lazy var name = Computed(self) { try $0.context.user.get()?.name ?? "" }
  lazy var language = Computed(self) { try $0.context.languages.get().first ?? "" }
  lazy var zone = Computed(self) { try $0.context.timeZone.get() ?? "" }
  @Observed var salary = 0
  @Observed var note = ""
  @Observed var performer = ""

  init(_ context: SessionContext) { self.context = context }

  func raise() { salary += 100 }
  func leave() throws { try context.signOut() }
  func enter(_ id: String) throws { try context.signIn(User(id: id, name: "Person \(id)", roles: ["accounts"])) }
  func enterAndFail(_ id: String) throws {
    try enter(id)
    throw Refused()
  }
  func tell() { performer = context.action?.client ?? "nobody" }
  func tellLater() throws { try context.wake(in: .seconds(1), for: "telling") }
  func wake(_ name: String) { tell() }
  nonisolated(nonsending) func report() async throws -> Int { salary }

  struct Refused: Error {}

  static let surface = Surface<Desk>(
    "desk", .params(BoardParams.self), .value("name", \.name), .value("language", \.language), .value("zone", \.zone),
    .value("performer", \.$performer), .value("salary", \.$salary).visible(to: .role("accounts")),
    .twoWay("note", \.$note).for(.signedIn),
    .action("raise", Desk.raise).for(.role("accounts")), .action("leave", Desk.leave), .action("enter", Desk.enter),
    .action("enterAndFail", Desk.enterAndFail), .action("tell", Desk.tell),
    .action("tellLater", Desk.tellLater), .onWake(Desk.wake), .command("report", Desk.report).for(.role("accounts")))
}

private let anna = User(id: "7", name: "Anna", roles: ["accounts"])

private func makeDesk(as user: User? = nil) throws -> ModelDriver {
  try ModelDriver(as: user, params: ["board": 3], languages: ["de-AT", "en"], timeZone: "Europe/Vienna") { Desk($0) }
}

@Suite struct `A view model's context` {
  @Test func `changes under a living view model, in one revision each time`() throws {
    let desk = try makeDesk()
    #expect(desk["name"] == "")
    let revision = desk.revision
    desk.become(anna)
    #expect(desk["name"] == "Anna")
    #expect(desk.revision == revision + 1)
    try desk.prefer(languages: ["fr"])
    #expect(desk["language"] == "fr")
    #expect(desk["zone"] == "Europe/Vienna")
    #expect(desk.revision == revision + 2)
  }

  @Test func `signs in and out in an action, in its transaction`() throws {
    let desk = try makeDesk()
    let revision = desk.revision
    try desk.perform("enter", "9")
    #expect(desk["name"] == "Person 9")
    #expect(desk.revision == revision + 1)
    try desk.perform("leave")
    #expect(desk["name"] == "")
    #expect(throws: ViewModelFailure.self) { try desk.perform("enterAndFail", "9") }
    #expect(desk["name"] == "")
  }

  @Test func `names the client of an action, and only meanwhile`() throws {
    let desk = try ModelDriver(scope: .room, as: anna, params: ["board": 3]) { Desk($0) }
    let other = try desk.member(nil)
    let names = try [desk, other, desk].map { member in
      try member.perform("tell")
      return member["performer"]
    }
    #expect(names[0] == names[2] && names[0] != names[1] && !names.contains("") && !names.contains("nobody"))
    try desk.perform("tellLater")
    desk.advance(by: .seconds(1))
    #expect(desk["performer"] == "nobody")
  }

  @Test func `is asked for parameters of another type only by mistake, and these were checked`() {
    for (params, pointers) in [
      (["board": "x"], ["/board"]), ([:], ["/board"]), (["board": 1, "tab": 2], ["/tab"]),
      (["board": true, "tab": 2, "other": 1], ["/board", "/other", "/tab"]), (["board": 1, "tab": "a"], []),
    ] as [(JSON, [String])] {
      let type = HostedModelType.hosting { Desk($0) }
      #expect(type.faults(of: params).map(\.pointer.description).sorted() == pointers)
    }
    #expect(HostedModelType.hosting { Plain() }.faults(of: ["x": 1]).count == 1)
    #expect(HostedModelType.hosting { Plain() }.faults(of: [:]).isEmpty)
  }
}

private struct TripParams: Codable, JSONRepresentable {
  struct Stop: Codable, JSONRepresentable {
    var town: String
    var nights: Int
    var room: Room?
  }
  struct Room: Codable, JSONRepresentable { var beds: Int }
  var stops: [Stop]
  var first: Stop
}

private final class Trip: ViewModel {
  init(_ context: SessionContext) {}
  static let surface = Surface<Trip>("trip", .params(TripParams.self))
}

@Suite struct `Parameters within parameters` {
  @Test(
    arguments: [
      (["stops": [], "first": ["town": "Linz", "nights": 1]], []),
      (["stops": [], "first": ["town": 1, "nights": "x"]], ["/first/nights", "/first/town"]),
      (["stops": [], "first": ["town": "Linz", "night": 1]], ["/first/night", "/first/nights"]),
      (
        [
          "stops": [["town": "Linz", "nights": 1], ["nights": true], 7],
          "first": ["town": "Linz", "nights": 1, "room": ["beds": "two"]],
        ], ["/first/room/beds", "/stops/1/nights", "/stops/1/town", "/stops/2"]
      ),
      (
        ["stops": 1, "first": ["town": "Linz", "nights": 1, "room": ["bed": 2]]],
        ["/first/room/bed", "/first/room/beds", "/stops"]
      ),
    ] as [(JSON, [String])]) func `are each refused at their place`(_ params: JSON, _ pointers: [String])
  {
    let type = HostedModelType.hosting { Trip($0) }
    #expect(type.faults(of: params).map(\.pointer.description).sorted() == pointers)
  }

  @Test func `are refused without a look at all of many`() {
    let stops = JSON.array(Array(repeating: ["town": 1, "nights": 1], count: 10_000))
    let type = HostedModelType.hosting { Trip($0) }
    let faults = type.faults(of: ["stops": stops, "first": ["town": "Linz", "nights": 1]])
    #expect(faults.count == 20)
  }
}

private final class Plain: ViewModel {
  static let surface = Surface<Plain>("plain")
}

private final class Sorted: ViewModel {
  @Observed var order = "rising"
  static let surface = Surface<Sorted>("sorted", .twoWay("order", \.$order).visible(to: .signedIn).inAddress())
}

@Suite struct `An entry that is for some users` {
  @Test func `is in their addresses alone, whoever the view model was made for`() throws {
    let sorted = try ModelDriver { Sorted() }
    #expect(sorted.address == "/sorted")
    sorted.become(anna)
    #expect(sorted.address == "/sorted")
    try sorted.set("order", "falling")
    #expect(sorted.address == "/sorted?order=falling")
    try sorted.go(to: "/sorted")
    #expect(sorted["order"] == "rising")
    try sorted.set("order", "falling")
    sorted.become(nil)
    #expect(sorted.address == "/sorted")
  }

  @Test func `is refused for others, and done for them`() throws {
    let desk = try makeDesk(as: User(id: "8"))
    let refusal = #expect(throws: SurfaceError.self) { try desk.perform("raise") }
    #expect(refusal?.description == "'raise' is for the role 'accounts' alone")
    try desk.set("note", "mine")
    desk.become(nil)
    #expect(throws: SurfaceError.self) { try desk.set("note", "anybody's") }
    desk.become(anna)
    try desk.perform("raise")
    #expect(desk["salary"] == 100)
  }

  @Test func `is absent from the state of others, comes and goes with the role, by patches`() throws {
    let desk = try makeDesk()
    #expect(desk["salary"] == nil)
    _ = desk.takeFrame()
    desk.become(anna)
    #expect(desk["salary"] == 0)
    #expect(desk.takeFrame()["patch"] != nil)
    try desk.perform("raise")
    #expect(desk.takeFrame()["patch"] == [["op": "add", "path": "/salary", "value": 100]])
    desk.become(User(id: "7", name: "Anna"))
    #expect(desk["salary"] == nil)
    #expect(throws: SurfaceError.self) { try desk.perform("raise") }
    // While the salary is absent, nothing of it is told.
    let revision = desk.revision
    desk.become(User(id: "7", name: "Anna", claims: ["x": 1]))
    #expect(desk.revision == revision)
  }

  @Test func `shows a command as enabled for them alone`() throws {
    let desk = try makeDesk()
    #expect(desk["report/enabled"] == false)
    #expect(throws: SurfaceError.self) { try desk.perform("report") }
    desk.become(anna)
    #expect(desk["report/enabled"] == true)
    #expect(try desk.perform("report") == 0)
  }
}
