// SPDX-License-Identifier: MIT
import EuripusApp
import EuripusTesting
import Testing

final class Museum: ViewModel {
  @Observed var language = "en"
  @Observed var rooms = ["east", "west"]
  let navigation = Coordinator()

  init() { navigation.build(self) { museum, path in museum.page(at: path) } }

  private func page(at path: [String]) -> (any ViewModel)? {
    guard let room = path.last else {
      let entrance = Entrance()
      entrance.open.handle(self) { museum, room in museum.navigation.push(room) }
      return entrance
    }
    return path.count == 1 && rooms.contains(room) ? Room(room, of: self) : nil
  }

  func close(_ room: String) { rooms.removeAll { $0 == room } }

  static let surface = Surface<Museum>(
    "museum",
    .twoWay("language", \.$language).inAddress(.replace),
    .value("rooms", \.$rooms),
    .action("close", Museum.close),
    .nested("navigation", \.navigation, pages: Entrance.self, Room.self).inAddress())
}

final class Entrance: ViewModel {
  let open = Observer<String>()
  static let surface = Surface<Entrance>("entrance", .action("open", \.open))
}

final class Room: CoordinatedPage {
  let name: String
  let isGone: ObservableValue<Bool>
  lazy var title = Computed(self) { "Room \($0.name)" }

  init(_ name: String, of museum: Museum) {
    self.name = name
    let rooms = museum.$rooms
    isGone = Computed { !rooms.value.contains(name) }
  }

  static let surface = Surface<Room>("room", .value("title", \.title))
}

final class Till: ViewModel {
  let context: SessionContext
  @Observed var language = "en"
  lazy var guide = Computed(self) { $0.context.address(at: ["guide"]) }

  init(_ context: SessionContext) { self.context = context }
  func buy() throws { try context.go(to: "/museum/west") }

  static let surface = Surface<Till>(
    "till", .twoWay("language", \.$language).inAddress(), .value("guide", \.guide), .action("buy", Till.buy))
}

struct MuseumApp: EuripusApp {
  var models: Models { hosting(at: "/museum") { Museum() } }
}

/// The Swift of the guide "Pages and their addresses", compiled and run.
@Suite struct `The guide on pages` {
  @Test func `shows pages that open, close and have an address`() throws {
    let museum = try ModelDriver(at: "/museum") { Museum() }
    try museum.perform("navigation/pages/items/root/open", "west")
    #expect(try museum["navigation"] == Guide("Pages").json()[0])
    #expect(museum.address == "/museum/west")
    try museum.set("language", "de")
    #expect(museum.address == "/museum/west?language=de")
    try museum.go(to: "/museum/east")
    #expect(museum["language"] == "en")
    try museum.perform("close", "east")
    #expect(museum["navigation/path"] == [])
    try museum.perform("navigation/go", ["nowhere"])
    #expect(museum["navigation/notFound"] == ["nowhere"])
  }

  @Test func `shows a page that is opened at an address`() throws {
    let museum = try ModelDriver(at: "/museum", address: "/museum/east?language=de") { Museum() }
    #expect(museum["navigation/pages/items/east/title"] == "Room east")
    #expect(museum["language"] == "de")
  }

  @Test func `shows an action that leads to another page, and a link to another place of this one`() throws {
    let till = try ModelDriver(at: "/till") { Till($0) }
    #expect(till["guide"] == "/till/guide")
    try till.set("language", "de")
    #expect(till["guide"] == "/till/guide?language=de")
    #expect(till.destination == nil)
    try till.perform("buy")
    #expect(till.destination == "/museum/west")
  }

  @Test func `shows pages that come back after a restart`() async throws {
    try await expectRestorable { Museum() }
  }
}
