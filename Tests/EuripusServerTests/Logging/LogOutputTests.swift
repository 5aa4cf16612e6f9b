// SPDX-License-Identifier: MIT
import Glibc
import Testing

@testable import EuripusServer

/// A log into a pipe. The pipe takes the bytes that it has room for, and then nothing until it is read.
@Suite(.timeLimit(.minutes(30))) final class `A log that nobody reads` {
  private let reading: Int32
  private let writing: Int32

  init() throws {
    var ends: [Int32] = [0, 0]
    try #require(pipe(&ends) == 0)
    (reading, writing) = (ends[0], ends[1])
  }

  deinit {
    close(reading)
    close(writing)
  }

  private func read() -> String {
    var text: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65_536)
    _ = fcntl(reading, F_SETFL, O_NONBLOCK)
    while case let count = Glibc.read(reading, &chunk, chunk.count), count > 0 { text += chunk[..<count] }
    return String(decoding: text, as: UTF8.self)
  }

  private func write(_ line: String, _ output: LogOutput) { output.write(line) { "\($0) lost" } }

  @Test func `holds nobody up, and says how many lines were lost`() {
    let output = LogOutput(writing)
    // The pipe takes 64 KiB of these lines.
    for number in 1...10_000 { write("line \(number)", output) }
    let first = read().split(separator: "\n")
    #expect(first.first == "line 1")
    // The last line may be cut off.
    #expect(first.count > 1_000 && output.lost >= 10_000 - first.count)
    #expect(output.lost <= 10_000 - first.count + 1)
    write("after", output)
    #expect(read().split(separator: "\n").suffix(2) == ["\(output.lost) lost", "after"])
    write("last", output)
    #expect(read() == "last\n")
  }

  @Test func `begins a new line after one that was cut off`() throws {
    // The pipe gets room for one page, by F_SETPIPE_SZ (1,031), which Swift's Glibc lacks.
    try #require(fcntl(writing, 1_031, 4_096) == 4_096)
    let output = LogOutput(writing)
    let long = String(repeating: "x", count: 10_000)
    write(long, output)
    #expect(read() == String(long.prefix(4_096)))
    write("after", output)
    #expect(read() == "\n1 lost\nafter\n")
  }
}
