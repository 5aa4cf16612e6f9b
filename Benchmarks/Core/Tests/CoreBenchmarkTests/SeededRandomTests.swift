// SPDX-License-Identifier: MIT
import ReactiveShapes
import Testing

/// The expected numbers are those of the same two algorithms in JavaScript, where the graphs were published.
@Suite struct `The seeded generator` {
  @Test(arguments: [
    ("seed", [3_595_049_766, 1_538_291_281, 523_797_495, 2_091_590_326, 1_224_444_238], 3_676_514_575),
    ("", [2_316_128_319, 3_303_672_784, 1_720_906_786, 3_361_621_446, 2_971_777_219], 3_397_831_147),
  ]) func `gives the published sequence of bits`(_ seed: String, _ first: [UInt32], _ number999: UInt32) {
    var random = SeededRandom(seed: seed)
    #expect((0..<5).map { _ in random.nextBits() } == first)
    for _ in 5..<998 { _ = random.nextBits() }
    #expect(random.nextBits() == number999)
  }

  @Test func `gives numbers from 0 up to 1`() {
    var random = SeededRandom()
    let numbers = (0..<10_000).map { _ in random.next() }
    #expect(numbers[0] == 3_595_049_766.0 / 4_294_967_296)
    #expect(numbers.allSatisfy { (0..<1).contains($0) })
  }
}
