// SPDX-License-Identifier: MIT
import Testing

@testable import EuripusTools

/// The lines of a program in development that its author's pages show.
@Suite struct `A line of a program in development` {
  @Test(arguments: [
    "/x/Sources/App/Todo.swift:12: Fatal error: Index out of range",
    "App/Todo.swift:7: Precondition failed: no such row",
  ]) func `is a trap if it has the place of one`(line: String) { #expect(ServedApp.news(in: line) == .trapped(line)) }

  @Test func `is a death whose report has the place in the package's own sources`() {
    let line =
      "2026-01-01T00:00:00.000Z error the server died and is started again process=7 report=/x/crash-7.txt seconds=1 signal=4"
    #expect(ServedApp.news(in: line) == .died(report: "/x/crash-7.txt"))
    #expect(
      ServedApp.news(in: line.replacing("/x/crash-7.txt", with: "\"/my x/crash-7.txt\""))
        == .died(report: "/my x/crash-7.txt"))
    #expect(ServedApp.news(in: "2026-01-01T00:00:00.000Z error the server died process=7 status=1") == nil)
    let backtrace = """
        0               0x1 _assertionFailure(_:_:file:line:flags:) + 302 in libswiftCore.so
        1 [ra]          0x2 Session.run(_:) + 9 in App at /x/app/.build/checkouts/euripus/Sources/Sessions/Session.swift:9:3
        2 [ra]          0x3 Seat.book() + 101 in App at /x/app/Sources/App/Seat.swift:111:54
        3 [ra] [system] 0x4 closure #1 in Seat.surface + 26 in App at /x/app/Sources/App/Seat.swift:9
      """
    #expect(Fault.place(in: backtrace, of: "/x/app") == "Sources/App/Seat.swift:111")
    #expect(Fault.place(in: backtrace, of: "/x/other") == nil)
  }

  @Test(arguments: [
    "a command threw command=App/Todo.swift:9 error=\"Failure: no\" model=todo",
    "a reading of a topic threw code=App/Todo.swift:9 error=\"no such column\" model=todo",
    "code threw, and nobody caught it code=App/Todo.swift:9", "a view model threw error=no id=7",
    "a route failed id=7 route=export", "work in the background has failed, and begins anew work=cleaning",
  ]) func `is an error of the program's code if the log says so`(text: String) {
    #expect(ServedApp.news(in: "2026-01-01T00:00:00.000Z error \(text)") == .threw(text))
    #expect(ServedApp.news(in: "2026-01-01T00:00:00.000Z warning \(text)") == nil)
  }

  @Test(arguments: ["2026-01-01T00:00:00Z info stopped", "see Todo.swift:12 for a Fatal error"])
  func `says nothing to the pages otherwise`(line: String) { #expect(ServedApp.news(in: line) == nil) }

  @Test func `tells that the next program has taken the place, or cannot`() {
    let (taken, kept) = (
      "notice the program at its path has taken the server's place", "cannot take the server's place"
    )
    #expect(ServedApp.news(in: "\(taken) process=1") == .replaced)
    #expect(ServedApp.news(in: "error the program at its path \(kept); the one before it goes on") == .notReplaced)
  }
}
