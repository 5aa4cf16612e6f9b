// SPDX-License-Identifier: MIT
import Testing
import ViewModels

@testable import Sessions

@Suite struct `The attendance of a session` {
  private let start = ContinuousClock.now
  private let attendance: Attendance

  init() { attendance = Attendance(now: start) }

  private var clients: [String] { attendance.members.map(\.client) }

  private func time(_ seconds: Double) -> ContinuousClock.Instant { start + .seconds(seconds) }

  private func come(_ client: String, at seconds: Double = 0, user: User? = nil) -> Bool {
    attendance.come(client, user, at: WallTime(secondsSince1970: seconds), time(seconds))
  }

  @Test func `has each client once, in the order in which they came`() {
    #expect(come("b", at: 1) == true)
    #expect(come("a", at: 2) == true)
    #expect(come("b", at: 3) == false)
    #expect(clients == ["b", "a"])
    #expect(attendance.members[0].since == WallTime(secondsSince1970: 1))
  }

  @Test func `tells that a client has another user, who came when the client did`() {
    _ = come("a", at: 1)
    #expect(come("a", at: 2, user: User(id: "7")) == true)
    #expect(
      attendance.members == [SessionMember(client: "a", user: User(id: "7"), since: WallTime(secondsSince1970: 1))])
  }

  @Test func `counts a client for a moment after its last reader, and not beyond`() {
    for _ in 0..<2 { _ = come("a") }
    #expect(attendance.leave("a", time(1)) == nil)
    #expect(attendance.leave("a", time(2)) == time(2) + Attendance.grace)
    #expect(attendance.look(time(3)) == false)
    #expect(attendance.look(time(2) + Attendance.grace) == true)
    #expect(clients == [])
  }

  @Test func `counts a client on that comes back in that moment`() {
    _ = come("a")
    _ = attendance.leave("a", time(1))
    #expect(come("a", at: 2) == false)
    #expect(attendance.look(time(4)) == false)
    #expect(attendance.planLook() == nil)
    #expect(clients == ["a"])
  }

  @Test func `waits as long as a reader was told to stay away`() {
    _ = come("a")
    #expect(attendance.leave("a", pause: .seconds(2), time(1)) == time(3) + Attendance.grace)
    _ = attendance.look(time(3) + Attendance.grace)
    #expect(clients == [])
  }

  @Test func `plans one look at a time, and the next one after it`() {
    for client in ["a", "b"] { _ = come(client) }
    #expect(attendance.leave("a", time(1)) == time(1) + Attendance.grace)
    #expect(attendance.leave("b", time(2)) == nil)
    _ = attendance.look(time(1) + Attendance.grace)
    #expect(clients == ["b"])
    #expect(attendance.planLook() == time(2) + Attendance.grace)
  }

  @Test func `expects the clients of an earlier process for some seconds`() {
    let members = ["a", "b"].map { SessionMember(client: $0, user: nil, since: WallTime(secondsSince1970: 1)) }
    let next = Attendance(expecting: members, now: start)
    #expect(next.planLook() == start + Attendance.graceOfRestart)
    #expect(next.come("a", nil, at: WallTime(secondsSince1970: 9), time(1)) == false)
    #expect(next.look(start + Attendance.graceOfRestart) == true)
    #expect(next.members == [members[0]])
  }
}
