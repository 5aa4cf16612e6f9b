// SPDX-License-Identifier: MIT
import Euripus
import EuripusNodes
import EuripusTesting
import JSONPatching
import Testing

/// A room with notes.
private final class Shelf: ViewModel {
  struct Name: Codable, JSONRepresentable, Sendable { var shelf: String }

  @Observed var notes: [String] = []
  @Observed var secret = "gold"

  func add(_ note: String) { notes.append(note) }

  static let surface = Surface<Shelf>(
    "shelf", .params(Name.self), .value("notes", \.$notes), .value("secret", \.$secret).visible(to: .role("owner")),
    .action("add", Shelf.add))
}

/// One person's view of the room.
private final class Finder: ViewModel {
  struct Shown: Codable, JSONRepresentable, Equatable {
    var notes: [String]
    var secret: String?
  }

  private let shelf: ObservableValue<Shown?>
  lazy var notes = Computed(self) { try $0.shelf.get()?.notes ?? [] }
  lazy var secret = Computed(self) { try $0.shelf.get()?.secret }

  init(_ context: SessionContext) {
    shelf = context.room(Shelf.self, Shelf.Name(shelf: "left"), as: Shown.self)
  }

  static let surface = Surface<Finder>("finder", .value("notes", \.notes), .value("secret", \.secret))
}

@Suite(.timeLimit(.minutes(30))) struct `A room at another server` {
  private let schema: TestSchema

  init() throws { schema = try TestSchema() }

  private func server(idleTime: Duration? = nil) throws -> TestServer {
    try schema.server([.hosting(scope: .room) { _ in Shelf() }, .hosting { Finder($0) }], idleTime: idleTime)
  }

  @Test func `is followed from here, and from here on when its server has gone`() async throws {
    let (first, second) = (try server(), try server())
    let (anna, bob) = (try first.client(), try second.client())
    let opened = try await bob.request("POST", "/sessions/shelf", #"{"params":{"shelf":"left"}}"#)
    guard case .string(let shelf)? = opened.json?["url"] else { return #expect(Bool(false), "\(opened.text)") }
    try await bob.request("POST", "\(shelf)/actions/add", #""Milk""#)
    let finder = try await anna.open("finder")
    try await anna.wait(finder) { $0["notes"] == ["Milk"] }
    try await bob.request("POST", "\(shelf)/actions/add", #""Bread""#)
    try await anna.wait(finder) { $0["notes"] == ["Milk", "Bread"] && $0["secret"] == .null }
    second.stop()
    let carl = try first.client()
    let again = try await carl.request("POST", "/sessions/shelf", #"{"params":{"shelf":"left"}}"#)
    #expect(again.json?["url"] == .string(shelf))
    try await carl.request("POST", "\(shelf)/actions/add", #""Eggs""#)
    try await anna.wait(finder) { $0["notes"] == ["Milk", "Bread", "Eggs"] }
  }

  @Test func `is taken over if that server has let go of it`() async throws {
    let (first, second) = (try server(), try server(idleTime: .seconds(2)))
    let (anna, bob) = (try first.client(), try second.client())
    var added = 0
    // A server forgets a room that nobody has used within its idle time, which may pass on a slow machine.
    while added != 200 {
      let opened = try await bob.request("POST", "/sessions/shelf", #"{"params":{"shelf":"left"}}"#)
      guard case .string(let shelf)? = opened.json?["url"] else { return #expect(Bool(false), "\(opened.text)") }
      added = try await bob.request("POST", "\(shelf)/actions/add", #""Milk""#).status
    }
    while second.sessionCount > 0 { await Task.yield() }
    let finder = try await anna.open("finder")
    try await anna.wait(finder) { $0["notes"] == ["Milk"] }
    #expect(second.sessionCount == 0)
  }

  @Test func `stays where it is if a poll of it is cut off`() async throws {
    let (first, second) = (try server(), try server())
    let (anna, bob) = (try first.client(), try second.client())
    let opened = try await bob.request("POST", "/sessions/shelf", #"{"params":{"shelf":"left"}}"#)
    guard case .string(let shelf)? = opened.json?["url"] else { return #expect(Bool(false), "\(opened.text)") }
    try await bob.request("POST", "\(shelf)/actions/add", #""Milk""#)
    let finder = try await anna.open("finder")
    try await anna.wait(finder) { $0["notes"] == ["Milk"] }
    #expect(second.sessionCount == 1)
    // Its server goes, and with it the poll: the room itself is still the other's.
    first.stop()
    try await bob.request("POST", "\(shelf)/actions/add", #""Bread""#)
    #expect(try await bob.request("GET", shelf).json?["state"]?["notes"] == ["Milk", "Bread"])
  }
}
