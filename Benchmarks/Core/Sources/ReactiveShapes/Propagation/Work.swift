// SPDX-License-Identifier: MIT

/// A computation that is worth avoiding: a hundred steps. Each needs the one before, so that no optimiser takes them
/// away.
@inline(never) public func work() {
  var state = 88_172_645_463_325_252 as UInt64
  for step in 0..<100 as Range<UInt64> { state ^= (state >> 3) &+ step }
  precondition(state != 0)
}
