// SPDX-License-Identifier: MIT
import Seeded
import Testing

@testable import HTTPListening

struct DeadlineHeapTests {
  @Test(arguments: [1, 2, 3, 4, 5] as [UInt64])
  func `a heap of deadlines gives the slots in the order of a sorted list`(seed: UInt64) {
    var dice = SeededGenerator(seed: seed)
    var heap = DeadlineHeap()
    var plain: [Int: UInt64] = [:]
    for _ in 0..<2_000 {
      let slot = Int.random(in: 0..<64, using: &dice)
      switch Int.random(in: 0..<3, using: &dice) {
      case 0 where plain[slot] == nil:
        // The remainder by 64 is the slot, so no two deadlines are the same.
        let deadline = UInt64.random(in: 0..<1_000, using: &dice) * 64 + UInt64(slot)
        heap.insert(slot: slot, deadline: deadline)
        plain[slot] = deadline
      case 1:
        heap.remove(slot: slot)
        plain[slot] = nil
      default:
        let now = UInt64.random(in: 0..<64_000, using: &dice)
        let due = plain.min { $0.value < $1.value }.flatMap { $0.value <= now ? $0.key : nil }
        #expect(heap.takeDue(now) == due)
        if let due { plain[due] = nil }
      }
      #expect(heap.earliest == plain.values.min())
      #expect(heap.count == plain.count)
    }
  }
}
