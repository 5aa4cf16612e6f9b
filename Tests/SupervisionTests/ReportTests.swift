// SPDX-License-Identifier: MIT
import Foundation
import Testing

@testable import EuripusApp

struct `A report on a crash` {
  private static let text = """
    *** Program crashed: Illegal instruction at 0x00007fd6816f9361 ***

    Platform: x86_64 Linux (Debian GNU/Linux 12 (bookworm))

    Thread 3 "model 17" crashed:

      0      0x00007fd6816f9361 _assertionFailure(_:_:file:line:flags:) + 225 in libswiftCore.so
      1 [ra] 0x0000564c451d5a03 trapByMessage() + 98 in program
    ...

    Backtrace took 0.06s


    """

  private static func report(at time: Int64 = 1_795_285_515_007) -> CrashReport {
    CrashReport(
      time: time, program: "/usr/bin/euripus", process: 12, life: 3, lived: .milliseconds(61_050), wasReady: false,
      signal: SIGKILL, remains: Remains(works: [:], signal: SIGKILL, backtrace: nil), lastLines: [])
  }

  @Test func `a backtrace is told by the line of its thread, and the thread's name has the slot`() throws {
    let backtrace = try #require(Backtrace(Self.text))
    #expect(backtrace.slot == 17)
    #expect(
      backtrace.lines == [
        "*** Program crashed: Illegal instruction at 0x00007fd6816f9361 ***", "", #"Thread 3 "model 17" crashed:"#, "",
        "  0      0x00007fd6816f9361 _assertionFailure(_:_:file:line:flags:) + 225 in libswiftCore.so",
        "  1 [ra] 0x0000564c451d5a03 trapByMessage() + 98 in program", "...",
      ])
    for name in [#" "euripus""#, "", #" "model 17b""#, #" "my model 17""#] {
      let other = try #require(Backtrace(Self.text.replacing(#" "model 17""#, with: name)))
      #expect(other.slot == nil)
    }
    for text in ["", "\n", "*** Program crashed: Illegal instruction at 0x00007fd6816f9361 ***\n\nPlat"] {
      #expect(Backtrace(text) == nil)
    }
  }

  @Test func `the last lines are whole, as many as are wanted, and without codes that move a terminal`() {
    var lines = LastLines(limit: 64)
    #expect(lines.lines(10) == [])
    lines.append(Array("one\n\u{1B}[31mtwo\r\n\tthree".utf8)[...])
    #expect(lines.lines(10) == ["one", "?[31mtwo?", "\tthree"])
    #expect(lines.lines(1) == ["\tthree"])
    for number in 0..<100 { lines.append(Array("\nline \(number)".utf8)[...]) }
    let last = lines.lines(100)
    #expect(last == (92..<100).map { "line \($0)" })
  }

  @Test func `the words of the Swift runtime about a backtrace are left out of the last lines`() {
    var lines = LastLines(limit: 1_000)
    let text = """
      Main.swift:1: Fatal error: no
      swift-runtime: failed to suspend thread 15557 while processing a crash; backtraces will be missing information
      *** Signal 4: Backtracing from 0x7fd6816f9361... done ***
      Current stack trace:
      0    libswiftCore.so                    0x00007f010295f130 swift_reportError + 33
      1 of 3 is done 0x1

      """
    lines.append(Array(text.utf8)[...])
    #expect(lines.lines(10) == ["Main.swift:1: Fatal error: no", "1 of 3 is done 0x1"])
  }

  @Test func `everything that is handed over is read as it was written, and nothing else is`() {
    let handed = HandOver(listening: 7, memory: 8, status: 9, supervisor: 1_234, life: 2)
    let begin = "listening=7 memory=8 status=9 supervisor=1234 life=2"
    #expect(handed.text == "\(begin) turn= poisoned=")
    #expect(HandOver(handed.text) == handed)
    var poisoned = handed
    poisoned.turn = 11
    poisoned.poisoned = [.max: 12]
    #expect(poisoned.text == "\(begin) turn=11 poisoned=18446744073709551615@12")
    poisoned.poisoned[1] = .max
    #expect(HandOver(poisoned.text) == poisoned)
    for text in [
      "", "listening=7", begin, "listening=7 memory=8 status=9 supervisor=1234 life= turn= poisoned=",
      "listening=-7 memory=8 status=9 supervisor=1 life=1 turn= poisoned=",
      "memory=8 listening=7 status=9 supervisor=1 life=1 turn= poisoned=",
      "listening=7  memory=8 status=9 supervisor=1 life=1 turn= poisoned=",
      "listening=7 memory=8 status=9 supervisor=1 life=99999999999 turn= poisoned=",
      "\(begin) poisoned=", "\(begin) turn=x poisoned=", "\(begin) turn= poisoned=1", "\(begin) turn= poisoned=1@",
      "\(begin) turn= poisoned=-1@1", "\(begin) turn= poisoned= ",
    ] { #expect(HandOver(text) == nil, "\(text)") }
  }

  @Test func `a report has the time and the signal, and says where nothing is known`() {
    #expect(
      Self.report().text == """
        euripus: a server died of signal 9 (SIGKILL, sent by somebody, or by the system for lack of memory).

        time      2026-11-21T18:25:15.007Z
        program   /usr/bin/euripus
        process   12, number 3 of its supervisor
        lived     61.050 s, and never served

        At work, by its thread:
          (not known)

        The last lines of its standard error:
          (none)

        The backtrace:
          (none: SIGKILL leaves a process no time for one)

        """)
  }

  @Test func `the newest twenty reports are kept, for the owner of the process alone`() throws {
    let root = FileManager.default.temporaryDirectory.appendingPathComponent("reports-\(UUID().uuidString)").path
    defer { try? FileManager.default.removeItem(atPath: root) }
    let reports = CrashReports(directory: root + "/to/be/made")
    let written = (0..<23).map { Self.report(at: 1_795_285_515_007 + $0 * 60_000) }
    let paths = try written.map { try reports.write($0) }
    let kept = try FileManager.default.contentsOfDirectory(atPath: reports.directory)
    #expect(kept.sorted().map { "\(reports.directory)/\($0)" } == paths.suffix(20))
    #expect(try String(contentsOfFile: paths[22], encoding: .utf8) == written[22].text)
    #expect(try FileManager.default.attributesOfItem(atPath: paths[22])[.posixPermissions] as? Int == 0o600)
  }
}
