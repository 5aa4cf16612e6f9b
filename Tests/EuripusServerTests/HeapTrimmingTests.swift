// SPDX-License-Identifier: MIT
import Testing

@testable import EuripusServer

@Suite struct `Memory that was freed` {
  private static let mib = 1_048_576

  /// A process, with the MiB that it uses, and those that it has freed and not given back.
  private struct Process {
    var used = 100
    var freed = 0
    var trims = 0
  }

  /// The seconds at which a process is trimmed. `uses` has the MiB that it uses, by the second from which it does.
  private func trims(_ uses: [Int: Int], until end: Int) -> [Int] {
    let start = ContinuousClock.now
    var process = Process()
    var trimming = HeapTrimming(now: start, resident: 100 * Self.mib)
    var seconds: [Int] = []
    for second in 1...end {
      if let used = uses[second] {
        process.freed = max(0, process.freed + process.used - used)
        process.used = used
      }
      let before = process.trims
      trimming.tend(
        start + .seconds(second), measure: { (process.used + process.freed) * Self.mib },
        trim: {
          process.freed = 0
          process.trims += 1
        })
      if process.trims > before { seconds.append(second) }
    }
    return seconds
  }

  @Test func `is given back when it is, though the process had grown long before`() {
    #expect(trims([2: 1_000, 12: 100], until: 60) == [5, 15])
  }

  @Test func `is not looked for in a process that has grown by little`() {
    #expect(trims([3: 105, 7: 100, 30: 50, 31: 54], until: 100) == [])
  }

  @Test func `is looked for less and less often where nothing is free, and at least every forty seconds`() {
    #expect(trims([2: 1_000], until: 200) == [5, 15, 35, 75, 115, 155, 195])
  }

  @Test func `is looked for as often as ever while little by little is freed`() {
    let uses = [2: 300, 12: 290, 17: 280, 22: 270, 27: 260]
    #expect(trims(uses, until: 36) == [5, 15, 20, 25, 30, 35])
  }

  @Test func `is measured`() { #expect((Self.mib...).contains(ProcessMemory.resident())) }
}
