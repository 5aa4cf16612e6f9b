// SPDX-License-Identifier: MIT
import Locking
import Testing

@testable import ViewModels

@Suite struct `A log of faults` {
  @Test func `writes one fault of each mistake`() {
    let log = FaultLog()
    let written = Locked<[String]>([])
    log.set { text in written.withLock { $0.append(text) } }
    for row in 1...3 { for list in ["Page.swift:4", "Page.swift:9"] { log.write("row \(row)", of: list) } }
    #expect(written.withLock { $0 } == ["row 1", "row 1"])
  }
}
