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

  @Test(arguments: [SIGKILL, nil])
  func `is poisoned by two deaths of unknown cause, and not by one`(signal: Int32?) {
    let one = Remains(works: [0: Self.work(1)], signal: signal, backtrace: nil)
    let other = Remains(works: [0: Self.work(2)], signal: signal, backtrace: nil)
    #expect(one.culprit == nil)
    #expect(Self.poisoned(one, other).isEmpty)
    #expect(Self.poisoned(one, other, one) == [1])
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
    let everywhere: UInt64 = 50
    func work(_ number: UInt64, client: UInt64) -> Remains {
      Self.work(number, 20 + number, 30 + number, client, everywhere: everywhere)
    }
    let two = [work(1, client: 40), work(2, client: 41), work(3, client: 41), work(4, client: 41)]
    var suspects = Suspects()
    for (second, remains) in two.enumerated() {
      let isRefused = suspects.add(remains, now: Int64(second))
      #expect(!isRefused)
    }
    #expect(suspects.poisoned[everywhere] == nil)
    let isRefused = suspects.add(work(5, client: 42), now: 100)
    #expect(isRefused)
    #expect(suspects.poisoned[everywhere] == 100)
    // The action is tried again after a while. One more trap is enough to refuse it again.
    suspects.add(work(6, client: 43), now: 5_000)
    #expect(suspects.poisoned[everywhere] == 5_000)
  }

  @Test func `is refused after three traps, if it is a route's, and not for being at work at other deaths`() {
    let route = Work.answering("GET /report")
    let trap = Remains(works: [0: route], signal: SIGILL, backtrace: Self.backtrace("model 0"))
    let beside = Remains(works: [0: route], signal: SIGKILL, backtrace: nil)
    #expect(Self.poisoned(beside, beside, beside, trap, trap).isEmpty)
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

  @Test func `counts for nothing wider where it is not known that it was to blame`() {
    let wider = Work.Wider(action: 20, session: 30, client: 40)
    let works = [0: Work(mark: 1, wider: wider, text: "perform"), 1: Work(mark: 2, wider: wider, text: "perform")]
    let remains = Remains(works: works, signal: SIGKILL, backtrace: nil)
    #expect(Self.poisoned(remains, remains, remains) == [1, 2])
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
