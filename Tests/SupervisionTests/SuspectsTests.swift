// SPDX-License-Identifier: MIT
import Glibc
import Testing

@testable import EuripusApp

struct `A work that a server died of` {
  private static func work(_ number: UInt64) -> Work { Work(mark: number, text: "perform /\(number)") }

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
    #expect(Self.poisoned(both).isEmpty)
    let again = Remains(works: [1: Self.work(13), 3: Self.work(14)], signal: SIGSEGV, backtrace: nil)
    #expect(Self.poisoned(both, again) == [13])
  }

  private static let everywhere: UInt64 = 50

  /// The remains of a death of unknown cause, with an action at work in a session and of a client of this number.
  private static func suspicion(_ number: UInt64, signal: Int32? = SIGKILL) -> Remains {
    let wider = Work.Wider(action: number + 100, session: number + 200, client: number + 300, everywhere: everywhere)
    return Remains(
      works: [0: Work(mark: number, wider: wider, text: "perform")], signal: signal, backtrace: nil)
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
    #expect(suspects.poisoned == [Self.everywhere: 750])
    // When the hour is over, a single death is a suspicion again.
    suspects.add(Self.suspicion(6), now: 4_350)
    #expect(suspects.poisoned == [Self.everywhere: 750])
  }

  @Test func `has its traps counted with its other deaths`() {
    var suspects = Suspects()
    for number in 1...5 as ClosedRange<UInt64> {
      let trap = Self.work(number, 100 + number, 200 + number, 300, everywhere: Self.everywhere)
      suspects.add(number < 3 ? trap : Self.suspicion(number), now: Int64(number))
    }
    #expect(suspects.poisoned == [1: 1, 2: 2, Self.everywhere: 5])
  }

  @Test func `counts for nothing where the server was told to end, unless it trapped`() {
    var suspects = Suspects()
    for second in 0..<9 { suspects.add(Self.suspicion(1), wasTold: true, now: Int64(second)) }
    #expect(suspects.poisoned.isEmpty)
    suspects.add(Self.work(2, 0, 0, 0), wasTold: true)
    #expect(suspects.poisoned.keys.contains(2))
  }

  @Test func `is once in a death, though several threads were at it, and is no other action`() {
    let one = Work.changing("/sessions/a/1", [.perform(["x"])])
    let other = Work.changing("/sessions/a/2", [.perform(["x"])])
    let beside = Work.restoring("/sessions/a/3")
    let crowded = Remains(works: [0: one, 1: other, 2: beside], signal: SIGKILL, backtrace: nil)
    let quiet = Remains(works: [0: one, 1: other], signal: SIGKILL, backtrace: nil)
    #expect(Self.poisoned(crowded, crowded, crowded, crowded).isEmpty)
    #expect(Self.poisoned(crowded, crowded, crowded, crowded, quiet) == [one.wider.everywhere])
  }

  @Test func `is suspected as all openings of its view model, all changes of its session, or by itself`() {
    #expect(Work.opening("a", address: "/a?x").suspicion == Work.opening("a", client: "c").suspicion)
    #expect(Work.restoring("/sessions/a/1").suspicion == Work.restoring("/sessions/a/1").mark)
    let several = Work.changing("/sessions/a/1", [.perform(["x"]), .perform(["y"])])
    #expect(several.suspicion == several.wider.session)
  }

  /// The remains of a trap in one work, with the numbers of its action, its session and its client.
  private static func work(
    _ number: UInt64, _ action: UInt64, _ session: UInt64, _ client: UInt64, everywhere: UInt64 = 0
  ) -> Remains {
    let wider = Work.Wider(action: action, session: session, client: client, everywhere: everywhere)
    return Remains(
      works: [0: Work(mark: number, wider: wider, text: "perform")], signal: SIGILL,
      backtrace: Self.backtrace("model 0"))
  }

  @Test func `has its action refused everywhere once three clients had it, and not for three times of one`() {
    let everywhere = Self.everywhere
    func work(_ number: UInt64, client: UInt64) -> Remains {
      Self.work(number, 20 + number, 30 + number, client, everywhere: everywhere)
    }
    let two = [work(1, client: 40), work(2, client: 41), work(3, client: 41), work(4, client: 41)]
    var suspects = Suspects()
    for (second, remains) in two.enumerated() {
      let refused = suspects.add(remains, now: Int64(second))
      #expect(refused.isEmpty)
    }
    #expect(suspects.poisoned[everywhere] == nil)
    let refused = suspects.add(work(5, client: 42), now: 1_000)
    #expect(refused.count == 1)
    #expect(suspects.poisoned[everywhere] == 1_000)
    // The action is tried again after a while. One more trap is enough to refuse it again.
    suspects.add(work(6, client: 43), now: 5_000)
    #expect(suspects.poisoned[everywhere] == 5_000)
  }

  @Test func `is refused after three traps, if it is a route's, and not for being at work at two other deaths`() {
    let route = Work.answering("GET /report")
    let trap = Remains(works: [0: route], signal: SIGILL, backtrace: Self.backtrace("model 0"))
    let beside = Remains(works: [0: route], signal: SIGKILL, backtrace: nil)
    #expect(Self.poisoned(beside, beside, trap, trap).isEmpty)
    #expect(Self.poisoned(trap, trap, trap) == [route.mark])
  }

  @Test func `has its action refused after two traps of it, its session and its client after three`() {
    let (action, session, client): (UInt64, UInt64, UInt64) = (20, 30, 40)
    let first = Self.work(1, action, session, client)
    let second = Self.work(2, action, session, client)
    #expect(Self.poisoned(first) == [1])
    #expect(Self.poisoned(first, second) == [1, 2, action])
    let third = Self.work(3, 21, session, client)
    #expect(Self.poisoned(first, second, third) == [1, 2, 3, action, session, client])
    // The traps come from another action each time, and in the second case from another session each time too.
    #expect(
      Self.poisoned(first, Self.work(2, 21, session, client), Self.work(3, 22, session, 0)) == [1, 2, 3, session])
    #expect(Self.poisoned(first, Self.work(2, 21, 31, client), Self.work(3, 22, 32, client)) == [1, 2, 3, client])
  }

  @Test func `is refused from the trap on, and in turn its action, its session and its client`() throws {
    var suspects = Suspects()
    func isRefused(_ remains: Remains) throws -> Bool { suspects.refuse(try #require(remains.culprit)) }
    let (first, another) = (Self.work(1, 20, 30, 40), Self.work(2, 20, 30, 40))
    #expect(try !isRefused(first))
    suspects.add(first)
    #expect(try isRefused(first) && !isRefused(another))
    suspects.add(another)
    #expect(try isRefused(Self.work(3, 20, 31, 41)) && !isRefused(Self.work(3, 21, 30, 40)))
    suspects.add(Self.work(3, 21, 30, 40))
    #expect(try isRefused(Self.work(4, 22, 30, 42)) && isRefused(Self.work(4, 22, 32, 40)))
    // A mark of 0 stands for nothing, so nothing is refused by it.
    #expect(try !isRefused(Self.work(4, 0, 0, 0)))
  }

  @Test func `is one of 1,024 at most, and the oldest is dropped`() {
    var suspects = Suspects()
    for number in 0..<1_025 {
      let remains = Remains(works: [0: Self.work(UInt64(number))], signal: SIGILL, backtrace: nil)
      suspects.add(remains, now: Int64(1_000 + number))
    }
    #expect(Set(suspects.poisoned.keys) == Set(1..<1_025))
    #expect(suspects.poisoned[1_024] == 2_024)
  }
}
