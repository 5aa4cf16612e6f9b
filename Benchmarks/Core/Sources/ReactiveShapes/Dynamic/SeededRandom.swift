// SPDX-License-Identifier: MIT

/// A sequence of numbers that a text determines: sfc32 (PractRand's small fast chaotic generator of 32 bits), its four
/// words of state drawn from a MurmurHash3 of the text. Published graphs depend on every bit of it.
public struct SeededRandom {
  private var a: UInt32
  private var b: UInt32
  private var c: UInt32
  private var counter: UInt32

  public init(seed: String = "seed") {
    var words = MurmurWords(of: seed)
    a = words.next()
    b = words.next()
    c = words.next()
    counter = words.next()
  }

  /// The next 32 bits.
  public mutating func nextBits() -> UInt32 {
    // The counter grows before it is added, as in the published graphs. In PractRand it grows afterwards.
    counter &+= 1
    let result = a &+ b &+ counter
    a = b ^ (b >> 9)
    b = c &+ (c << 3)
    c = c.rotated(by: 21) &+ result
    return result
  }

  /// The next number, from 0 up to but not including 1.
  public mutating func next() -> Double { Double(nextBits()) / 4_294_967_296 }
}

/// MurmurHash3 of a text, read two bytes at a step. Its final mixing is repeated to draw more than one word.
private struct MurmurWords {
  private var hash: UInt32 = 2_166_136_261

  init(of text: String) {
    for unit in text.utf16 {
      let scrambled = (UInt32(unit) &* 0xCC9E_2D51).rotated(by: 15) &* 0x1B87_3593
      hash = (hash ^ scrambled).rotated(by: 13) &* 5 &+ 0xE654_6B64
    }
    hash ^= UInt32(text.utf16.count)
  }

  mutating func next() -> UInt32 {
    hash ^= hash >> 16
    hash &*= 0x85EB_CA6B
    hash ^= hash >> 13
    hash &*= 0xC2B2_AE35
    hash ^= hash >> 16
    return hash
  }
}

extension UInt32 {
  fileprivate func rotated(by bits: UInt32) -> UInt32 { self << bits | self >> (32 - bits) }
}
