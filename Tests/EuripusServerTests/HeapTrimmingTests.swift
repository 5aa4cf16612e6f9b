// SPDX-License-Identifier: MIT
import Testing

@testable import EuripusServer

@Suite struct `Memory that was freed` {
  private static let mib = 1_048_576

  @Test(arguments: [
    // Seconds, MiB measured, and whether it is given back.
    [(5.0, 121, true)], [(5.0, 109, false)], [(4.9, 500, false)],
    // Once: as long as the process grows no more than it has then.
    [(5, 200, true), (10, 110, false), (15, 115, true)],
    // A process that has less than at its start grows from there.
    [(5, 50, false), (10, 60, true)],
  ])
  func `is given back some seconds after the process has grown by a tenth`(steps: [(Double, Int, Bool)]) {
    let start = ContinuousClock.now
    var trimming = HeapTrimming(now: start, resident: 100 * Self.mib)
    for (seconds, measured, isTrimmed) in steps {
      var trims = 0
      trimming.tend(
        start + .seconds(seconds), measure: { (trims == 0 ? measured : 102) * Self.mib }, trim: { trims += 1 })
      #expect(trims == (isTrimmed ? 1 : 0), "after \(seconds) s")
    }
  }

  @Test func `is measured`() { #expect((Self.mib...).contains(ProcessMemory.resident())) }
}
