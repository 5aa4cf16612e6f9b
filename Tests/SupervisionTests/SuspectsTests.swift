// SPDX-License-Identifier: MIT
import Glibc
import Testing

@testable import EuripusApp

struct `A work that a server died of` {
  private static func work(_ number: UInt64) -> Work {
    Work(mark: number, actionMark: number + 1_000_000, text: "perform /\(number)")
  }

  private static func backtrace(_ thread: String) -> Backtrace? { Backtrace("Thread 1 \"\(thread)\" crashed:") }

  /// The poisoned works after these deaths, one a second.
  private static func poisoned(_ deaths: Remains...) -> Set<UInt64> {
    var suspects = Suspects()
    for (second, remains) in deaths.enumerated() { suspects.add(remains, now: Int64(second)) }
    return Set(suspects.poisoned.keys)
  }

  @Test func `is poisoned by one trap, and the works of other threads are not, however often they were there`() {
    let works = [2: Self.work(12), 3: Self.work(13)]
    let remains = Remains(works: works, signal: SIGILL, backtrace: Self.backtrace("model 3"))
    #expect(remains.culprit == Self.work(13))
    #expect(remains.others == [Self.work(12)])
    #expect(Self.poisoned(remains, remains, remains) == [13])
  }

  @Test func `is unknown where the thread that trapped had none`() {
    let remains = Remains(
      works: [2: Self.work(12)], signal: SIGILL, backtrace: Self.backtrace("euripus"))
    #expect(remains.culprit == nil)
    #expect(Self.poisoned(remains, remains).isEmpty)
  }

  @Test func `is the only one, where a trap left no backtrace`() {
    let alone = Remains(works: [2: Self.work(12)], signal: SIGSEGV, backtrace: nil)
    #expect(alone.culprit == Self.work(12))
    #expect(Self.poisoned(alone) == [12])
    let both = Remains(works: [2: Self.work(12), 3: Self.work(13)], signal: SIGSEGV, backtrace: nil)
    #expect(both.culprit == nil)
    #expect(Self.poisoned(both, both, both, both).isEmpty)
    #expect(Self.poisoned(both, both, both, both, both) == [Self.work(12).actionMark, Self.work(13).actionMark])
  }

  private static let action: UInt64 = 50

  /// The remains of a death of unknown cause, with the action at work, of a client of this number.
  private static func suspicion(_ number: UInt64, signal: Int32? = SIGKILL) -> Remains {
    let work = Work(mark: number, clientMark: number + 300, actionMark: action, text: "perform")
    return Remains(works: [0: work], signal: signal, backtrace: nil)
  }

  @Test func `is done again after kills from outside, two minutes apart or four in ten minutes`() {
    let again = Self.suspicion(1)
    #expect(again.culprit == nil)
    var suspects = Suspects()
    for minute in [0, 2, 4, 6, 11, 13, 15, 17, 22] as [Int64] { suspects.add(again, now: minute * 60) }
    #expect(suspects.poisoned.isEmpty)
  }

  @Test(arguments: [SIGKILL, SIGTERM, nil])
  func `is refused in every session after five deaths in ten minutes, whatever ended them`(signal: Int32?) {
    var suspects = Suspects()
    for number in 1...5 {
      #expect(suspects.poisoned.isEmpty)
      let refused = suspects.add(Self.suspicion(UInt64(number), signal: signal), now: Int64(number) * 150)
      #expect(refused.count == (number == 5 ? 1 : 0))
    }
    #expect(suspects.poisoned == [Self.action: 750])
    // When the hour is over, a single death is a suspicion again.
    suspects.add(Self.suspicion(6), now: 4_350)
    #expect(suspects.poisoned == [Self.action: 750])
  }

  @Test func `has its traps counted with its other deaths`() {
    var suspects = Suspects()
    for number in 1...5 as ClosedRange<UInt64> {
      suspects.add(number < 3 ? Self.trap(number, client: 300) : Self.suspicion(number), now: Int64(number))
    }
    #expect(suspects.poisoned == [1: 1, 2: 2, Self.action: 5])
  }

  @Test func `counts for nothing where the server was told to end, unless it trapped`() {
    var suspects = Suspects()
    for second in 0..<9 { suspects.add(Self.suspicion(1), wasTold: true, now: Int64(second)) }
    #expect(suspects.poisoned.isEmpty)
    suspects.add(Self.trap(2, client: 0), wasTold: true)
    #expect(suspects.poisoned.keys.contains(2))
  }

  @Test func `is once in a death, though several threads were at it, and is no other action`() {
    let one = Work.changing("/sessions/a/1", [.perform(["x"])])
    let other = Work.changing("/sessions/a/2", [.perform(["x"])])
    let beside = Work.restoring("/sessions/a/3")
    let crowded = Remains(works: [0: one, 1: other, 2: beside], signal: SIGKILL, backtrace: nil)
    let quiet = Remains(works: [0: one, 1: other], signal: SIGKILL, backtrace: nil)
    #expect(Self.poisoned(crowded, crowded, crowded, crowded).isEmpty)
    #expect(Self.poisoned(crowded, crowded, crowded, crowded, quiet) == [one.actionMark])
  }

  @Test func `is suspected as all openings of its view model, all changes of its session, or by itself`() {
    let openings = Work.opening("a", client: "c").actionMark
    #expect(Work.opening("a", address: "/a?x").actionMark == openings && Work.opening("b").actionMark != openings)
    #expect(Work.restoring("/sessions/a/1").actionMark != Work.restoring("/sessions/a/2").actionMark)
    let changes: [Change] = [.perform(["x"]), .perform(["y"])]
    let several = Work.changing("/sessions/a/1", changes).actionMark
    #expect(Work.changing("/sessions/a/1", [.perform(["z"]), .perform(["x"])]).actionMark == several)
    #expect(Work.changing("/sessions/a/2", changes).actionMark != several)
  }

  /// The remains of a trap in one work.
  private static func trap(_ number: UInt64, client: UInt64, action: UInt64 = Self.action) -> Remains {
    Remains(
      works: [0: Work(mark: number, clientMark: client, actionMark: action, text: "perform")], signal: SIGILL,
      backtrace: Self.backtrace("model 0"))
  }

  @Test func `has its client refused after three of its works, and its action to all after five of any client`() {
    var suspects = Suspects()
    let deaths: [(client: UInt64, refused: Set<UInt64>)] = [
      (40, []), (40, []), (40, [40]), (41, [40]), (42, [40, Self.action]),
    ]
    for (number, death) in deaths.enumerated() {
      let refused = suspects.add(Self.trap(UInt64(number + 1), client: death.client), now: Int64(number))
      #expect(refused.isEmpty == !death.refused.contains(Self.action))
      #expect(Set(suspects.poisoned.keys) == death.refused.union((1...UInt64(number + 1))), "death \(number + 1)")
    }
  }

  @Test func `has a client's traps counted for an hour, and an action's deaths for ten minutes`() {
    var suspects = Suspects()
    for second in [0, 1_800, 3_601] as [Int64] { suspects.add(Self.trap(UInt64(second + 1), client: 40), now: second) }
    #expect(suspects.poisoned[40] == nil)
    suspects.add(Self.trap(9, client: 40), now: 5_000)
    #expect(suspects.poisoned[40] == 5_000)
    for second in [5_100, 5_200, 5_300] as [Int64] { suspects.add(Self.trap(1, client: 41), now: second) }
    #expect(suspects.poisoned[Self.action] == nil)
    suspects.add(Self.trap(1, client: 41), now: 5_400)
    #expect(suspects.poisoned[Self.action] == 5_400)
    // When the hour is over, it takes as many deaths once more.
    suspects.add(Self.trap(1, client: 41), now: 9_000)
    #expect(suspects.poisoned[Self.action] == 5_400)
  }

  @Test func `is refused after five traps, if it is a route's, whose requests have nothing of their own`() {
    let route = Work.answering("GET /report")
    let trap = Remains(works: [0: route], signal: SIGILL, backtrace: Self.backtrace("model 0"))
    #expect(Self.poisoned(trap, trap, trap, trap).isEmpty)
    #expect(Self.poisoned(trap, trap, trap, trap, trap) == [route.mark])
  }

  @Test func `is refused from the trap on, and in turn its client and its action`() throws {
    var suspects = Suspects()
    func isRefused(_ remains: Remains) throws -> Bool { suspects.refuse(try #require(remains.culprit)) }
    suspects.add(Self.trap(1, client: 40))
    #expect(try isRefused(Self.trap(1, client: 40)) && !isRefused(Self.trap(2, client: 40)))
    for number in 2...3 as ClosedRange<UInt64> { suspects.add(Self.trap(number, client: 40)) }
    #expect(try isRefused(Self.trap(9, client: 40, action: 51)) && !isRefused(Self.trap(9, client: 41)))
    for number in 4...5 as ClosedRange<UInt64> { suspects.add(Self.trap(number, client: 41)) }
    #expect(try isRefused(Self.trap(9, client: 42)) && !isRefused(Self.trap(9, client: 42, action: 51)))
    // A mark of 0 stands for nothing, so nothing is refused by it.
    for number in 10...14 as ClosedRange<UInt64> { suspects.add(Self.trap(number, client: 0, action: 0)) }
    #expect(try !isRefused(Self.trap(20, client: 0, action: 0)))
  }

  @Test func `is one of 1,024 at most, and the oldest is dropped`() {
    var suspects = Suspects()
    for number in 1...1_025 as ClosedRange<UInt64> {
      suspects.add(Self.trap(number, client: 0, action: 0), now: Int64(1_000 + number))
    }
    #expect(suspects.poisoned.count == 1_024 && suspects.poisoned[1] == nil)
    #expect(suspects.poisoned[1_025] == 2_025)
  }
}
