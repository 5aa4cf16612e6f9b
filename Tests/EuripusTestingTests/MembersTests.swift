// SPDX-License-Identifier: MIT
import Euripus
import EuripusTesting
import Testing

/// A room with a text for everybody and one for owners, in which people come and go.
private final class Porch: ViewModel {
  let context: SessionContext
  @Observed var text = ""
  @Observed var secret = ""
  lazy var names = Computed(self) { try $0.context.members.get().map { $0.user?.id ?? "nobody" } }

  init(_ context: SessionContext) { self.context = context }

  func hide(_ text: String) { secret = text }

  static let surface = Surface<Porch>(
    "porch", .twoWay("text", \.$text), .value("names", \.names),
    .value("secret", \.$secret).visible(to: .role("owner")), .action("hide", Porch.hide).for(.role("owner")))
}

@Suite(.timeLimit(.minutes(30))) struct `Two drivers of one room` {
  private let anna: ModelDriver
  private let bob: ModelDriver

  init() throws {
    anna = try ModelDriver(scope: .room, as: User(id: "anna", roles: ["owner"])) { Porch($0) }
    bob = try anna.member(User(id: "bob"))
  }

  @Test func `are in conflict where one writes over what the other has written since`() throws {
    let seen = bob.revision
    try anna.set("text", "Anna's", ifUnchangedSince: anna.revision)
    #expect(throws: ValueChanged(path: "text", present: "Anna's")) {
      try bob.set("text", "Bob's", ifUnchangedSince: seen)
    }
    try anna.perform("hide", "treasure")
    try anna.set("text", "Anna's own", ifUnchangedSince: anna.revision)
    try bob.set("text", "Bob's", ifUnchangedSince: bob.revision)
    #expect(anna["text"] == "Bob's")
  }

  @Test(arguments: [true, false], [nil, User(id: "anna")])
  func `are in the room however far the clock is moved, with a database or without`(
    hasDatabase: Bool, user: User?
  ) throws {
    let database = hasDatabase ? try TestDatabase([]) : nil
    let anna = try ModelDriver(scope: .room, as: user, database: database) { Porch($0) }
    let bob = try anna.member(User(id: "bob"))
    try anna.set("text", "Anna's")
    for _ in 0..<4 {
      anna.advance(by: .seconds(20 * 60))
      #expect(bob["text"] == "Anna's")
      anna.advance(by: .seconds(90 * 86_400))
      #expect(anna["text"] == "Anna's")
    }
  }

  @Test func `come and go as pages do`() throws {
    anna.follow()
    bob.follow()
    bob.follow()
    #expect(anna["names"] == ["anna", "bob"])
    bob.stopFollowing()
    #expect(anna["names"] == ["anna", "bob"])
    anna.advance(by: .seconds(3))
    #expect(anna["names"] == ["anna"])
    bob.follow()
    #expect(anna["names"] == ["anna", "bob"])
  }
}
