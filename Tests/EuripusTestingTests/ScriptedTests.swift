// SPDX-License-Identifier: MIT
import EuripusTesting
import JSONPatching
import ObservableCore
import Testing
import ViewModels

@Suite(.timeLimit(.minutes(30))) struct `A scripted service` {
  struct Down: PresentableError {
    var type: String { "down" }
    var detail: String { "the service is down" }
  }

  final class Follower: ViewModel {
    private let service: Scripted<Int>
    init(_ service: Scripted<Int>) { self.service = service }
    func follow() async throws -> Int { try await service() }
    static let surface = Surface<Follower>("follower", .command("follow", Follower.follow))
  }

  @Test func `answers one call after the other`() async throws {
    let (clock, gate) = (TestClock(), Gate<Int>())
    let service = Scripted(
      "follow", .returns(7), .fails(Down()), .waits(gate), .takes(.seconds(3), on: clock, .returns(9)))
    let follower = try ModelDriver(clock: clock) { Follower(service) }
    #expect(try follower.perform("follow") == 7)
    try follower.expectChange {
      try follower.perform("follow")
    } to: { state in
      state.follow.result = nil
      state.follow.error = ["type": "down", "detail": "the service is down"]
    }
    try await follower.expectChange {
      try follower.perform("follow")
      gate.open(with: 8)
      await follower.settled()
    } to: { state in
      state.follow.result = 8
      state.follow.error = nil
    }
    try follower.perform("follow")
    #expect(follower["follow/executing"] == true)
    clock.advance(by: .seconds(3))
    #expect(follower["follow/result"] == 9)
    #expect(service.calls == 4)
    service.expectAllTaken()
  }

  @Test func `fails the test at a call for which there is no answer`() throws {
    let service = Scripted("follow", .returns(7))
    let follower = try ModelDriver { Follower(service) }
    try follower.perform("follow")
    let found = try failures { try follower.perform("follow") }
    #expect(
      found == [
        "'follow' was called 2 times, and the test declares 1 answer; expected no further call, or an answer to it"
      ])
    #expect(follower["follow/error"] != .null)
  }

  @Test func `fails the test for answers that were not taken, when that is asked and when it goes`() throws {
    let words = """
      'follow' was called 1 time, and the test declares 3 answers; not taken:
        fails with Down()
        takes 2.0 seconds, then returns 4
      """
    for isAsked in [true, false] {
      let found = try failures {
        let service = Scripted("follow", .returns(7), .fails(Down()), .takes(.seconds(2), on: TestClock(), .returns(4)))
        let follower = try ModelDriver { Follower(service) }
        try follower.perform("follow")
        if isAsked { service.expectAllTaken() }
      }
      #expect(found == [words])
    }
  }
}
