// SPDX-License-Identifier: MIT
import Locking
import Testing

@testable import ViewModels

@Suite struct `A log of faults` {
  @Test func `writes each text once, and no more than a hundred`() {
    let log = FaultLog()
    let written = Locked<[String]>([])
    log.set { text in written.withLock { $0.append(text) } }
    for _ in 0..<2 { for number in 0..<150 { log.write("row \(number)") } }
    #expect(written.withLock { $0 } == (0..<100).map { "row \($0)" })
  }
}
