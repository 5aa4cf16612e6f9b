// SPDX-License-Identifier: MIT

/// A hundred steps of which each needs the one before, so that no optimiser takes them away: a computation that is
/// worth avoiding.
@inline(never) public func work() {
  var state = 88_172_645_463_325_252 as UInt64
  for step in 0..<100 as Range<UInt64> { state ^= (state >> 3) &+ step }
  precondition(state != 0)
}
