// SPDX-License-Identifier: MIT
import EuripusTesting
import JSONPatching
import ObservableCore
import Testing
import ViewModels

private final class Bell: ViewModel {
  let rang = Event<String>()
  @Observed var rings = 0

  func ring(_ words: String) throws {
    rings += 1
    try rang.send(words)
  }

  func ringTwice() throws {
    try ring("first")
    try ring("second")
  }

  func fail() throws {
    try ring("never")
    throw Broken()
  }

  struct Broken: Error {}

  static let surface = Surface<Bell>(
    "bell", .pulse("rang", \.rang), .value("rings", \.$rings), .action("ring", Bell.ring),
    .action("ringTwice", Bell.ringTwice), .action("fail", Bell.fail))
}

@Suite(.timeLimit(.minutes(5))) struct `A pulse on a surface` {
  @Test func `is counted, with the value of the last`() throws {
    let bell = try ModelDriver { Bell() }
    #expect(bell["rang"] == ["count": 0, "value": .null])
    try bell.perform("ring", "hello")
    #expect(bell["rang"] == ["count": 1, "value": "hello"])
    try bell.perform("ring", "hello")
    try bell.perform("ringTwice")
    #expect(bell["rang"] == ["count": 4, "value": "second"])
  }

  @Test func `is none in a transaction that is undone, and nobody writes it`() throws {
    let bell = try ModelDriver { Bell() }
    #expect(throws: (any Error).self) { try bell.perform("fail") }
    #expect(bell["rang/count"] == 0)
    #expect(throws: SurfaceError.self) { try bell.set("rang", ["count": 7, "value": .null]) }
  }

  @Test func `is what it was after a restart`() async throws {
    try await expectRestorable { Bell() }
  }
}
