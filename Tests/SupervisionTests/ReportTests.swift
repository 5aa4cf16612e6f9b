// SPDX-License-Identifier: MIT
import Foundation
import Testing

@testable import Supervision

struct `What a supervisor finds out` {
  @Test func `names of functions come from the symbols of a file, those that others link to if there are no more`()
    throws
  {
    let file = try Data(contentsOf: TrappingProgram.built("TrappingServer"))
    let address = try #require(Self.value(of: "esv_mark", in: file))
    let found = file.withUnsafeBytes { ModuleSymbols.find([address, address + 1, 1], in: $0) }
    #expect(found[address] == ModuleSymbols.Found(name: "esv_mark", offset: 0))
    #expect(found[address + 1] == ModuleSymbols.Found(name: "esv_mark", offset: 1))
    #expect(found[1] == nil)
  }

  /// The address of a function, found by another way: from its name.
  private static func value(of name: String, in file: Data) -> UInt64? {
    file.withUnsafeBytes { bytes in
      // Every function that there is, at every 64th address of the first 16 MB.
      let all = ModuleSymbols.find(stride(from: 0, to: 1 << 24, by: 64).map { UInt64($0) }, in: bytes)
      return all.first { $0.value.name == name }.map { $0.key - $0.value.offset }
    }
  }

  @Test func `a file that is cut off or changed has no or other names, and is never read beyond its end`() throws {
    let seed = UInt64.random(in: 1 ... .max)
    var generator = SeededGenerator(state: seed)
    // Its header, with the sections right behind it, so that what is changed matters.
    let file = try [UInt8](Data(contentsOf: TrappingProgram.built("TrappingServer")))
    let addresses = (0..<64).map { UInt64($0) << 16 }
    for _ in 0..<60 {
      var changed = Array(file.prefix(Int.random(in: 0...file.count, using: &generator)))
      let headers = Self.sections(changed)
      for _ in 0..<8 where changed.count > 64 {
        let places = [
          Int.random(in: 0..<64, using: &generator), headers + Int.random(in: 0..<2_560, using: &generator),
        ]
        for place in places where place < changed.count {
          changed[place] = UInt8.random(in: 0...255, using: &generator)
        }
      }
      let found = changed.withUnsafeBytes { ModuleSymbols.find(addresses, in: $0) }
      #expect(found.count <= addresses.count, "seed \(seed)")
    }
  }

  /// Where a file says that its sections are described.
  private static func sections(_ file: [UInt8]) -> Int {
    if file.count < 0x30 { return 0 }
    return file[0x28..<0x2C].reversed().reduce(0) { $0 << 8 | Int($1) }
  }

  @Test(arguments: [
    ("$sSS5countSivg", "String.count.getter : Int", false), ("main", "main", false), ("$s", "$s", false),
    ("_ZN3foo3barEv", "_ZN3foo3barEv", false),
  ])
  func `symbols become what a programmer wrote`(symbol: String, text: String, isThunk: Bool) {
    let name = SymbolName.text(symbol)
    #expect(name.text == text)
    #expect(name.isThunk == isThunk)
  }

  @Test func `the last lines are whole, as many as are wanted, and without what moves a terminal`() {
    var lines = LastLines(limit: 64)
    #expect(lines.lines(10) == [])
    lines.append(Array("one\n\u{1B}[31mtwo\r\n\tthree".utf8)[...])
    #expect(lines.lines(10) == ["one", "?[31mtwo?", "\tthree"])
    #expect(lines.lines(1) == ["\tthree"])
    for number in 0..<100 { lines.append(Array("\nline \(number)".utf8)[...]) }
    let last = lines.lines(100)
    #expect(last == (92..<100).map { "line \($0)" })
  }

  @Test func `the calls that the Swift runtime may have written are left out of the last lines`() {
    var lines = LastLines(limit: 1_000)
    let text = """
      Main.swift:1: Fatal error: no
      Current stack trace:
      0    libswiftCore.so                    0x00007f010295f130 swift_reportError + 33
      1 of 3 is done 0x1

      """
    lines.append(Array(text.utf8)[...])
    #expect(lines.lines(10) == ["Main.swift:1: Fatal error: no", "1 of 3 is done 0x1"])
  }

  @Test func `what is handed over is read as it was written, and nothing else is`() {
    let handed = HandOver(listening: 7, memory: 8, status: 9, supervisor: 1_234, life: 2)
    #expect(handed.text == "listening=7 memory=8 status=9 supervisor=1234 life=2")
    #expect(HandOver(handed.text) == handed)
    for text in [
      "", "listening=7", "listening=7 memory=8 status=9 supervisor=1234 life=",
      "listening=-7 memory=8 status=9 supervisor=1 life=1",
      "memory=8 listening=7 status=9 supervisor=1 life=1", "listening=7  memory=8 status=9 supervisor=1 life=1",
      "listening=7 memory=8 status=9 supervisor=1 life=99999999999",
      "listening=7 memory=8 status=9 supervisor=1 life=1 ",
    ] { #expect(HandOver(text) == nil, "\(text)") }
  }

  @Test func `a report says when, what, and that nothing more is known where that is so`() {
    let report = CrashReport(
      time: 1_795_285_515_007, program: "/usr/bin/euripus", process: 12, life: 3, lived: .milliseconds(61_050),
      wasReady: false, signal: SIGKILL, remains: Remains(), lastLines: [])
    #expect(
      report.text == """
        euripus: a server died of signal 9 (SIGKILL, sent by somebody, or by the system for lack of memory).

        time      2026-11-21T18:25:15.007Z
        program   /usr/bin/euripus
        process   12, number 3 of its supervisor
        lived     61.050 s, and never served

        At work, by its thread:
          (not known)

        The last lines of its standard error:
          (none)

        The calls, from the innermost on:
          (none: the signal leaves a process no time to say)

        """)
  }
}
