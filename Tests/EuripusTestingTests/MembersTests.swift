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

  func write(_ text: String) { self.text = "\(context.action?.user?.id ?? "nobody"): \(text)" }
  func hide(_ text: String) { secret = text }

  static let surface = Surface<Porch>(
    "porch", .twoWay("text", \.$text), .value("names", \.names), .action("write", Porch.write),
    .value("secret", \.$secret).visible(to: .role("owner")), .action("hide", Porch.hide).for(.role("owner")))
}

@Suite(.timeLimit(.minutes(30))) struct `Two drivers of one room` {
  private let anna: ModelDriver
  private let bob: ModelDriver

  init() throws {
    anna = try ModelDriver(scope: .room, as: User(id: "anna", roles: ["owner"])) { Porch($0) }
    bob = try anna.member(User(id: "bob"))
  }

  @Test func `see one state, and the view model is told who acts`() throws {
    try anna.perform("write", "hello")
    #expect(bob["text"] == "anna: hello")
    try bob.perform("write", "hi")
    #expect(anna["text"] == "bob: hi")
    #expect(anna.takeChanges() == ["text"])
  }

  @Test func `are each shown what is for them, and do what they may`() throws {
    try anna.perform("hide", "treasure")
    #expect(anna["secret"] == "treasure")
    #expect(bob["secret"] == nil)
    #expect(throws: SurfaceError.self) { try bob.perform("hide", "nothing") }
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

  @Test func `are refused by a rule that does not let them in`() throws {
    let first = try ModelDriver(scope: .room { $0 != nil }, as: User(id: "anna")) { Porch($0) }
    #expect(throws: (any Error).self) { try first.member(nil) }
  }
}
