// SPDX-License-Identifier: MIT
import Glibc

/// Random numbers that a seed determines: the same seed gives the same run again. The algorithm is SplitMix64
/// (Steele, Lea and Flood 2014, "Fast Splittable Pseudorandom Number Generators").
package struct SeededGenerator: RandomNumberGenerator, Sendable {
  /// The seed of random tests: `EURIPUS_SEED`, and without that the same each time.
  package static let seed = getenv("EURIPUS_SEED").flatMap { UInt64(String(cString: $0)) } ?? 20_260_101

  private var state: UInt64

  package init(seed: UInt64) { state = seed }

  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
