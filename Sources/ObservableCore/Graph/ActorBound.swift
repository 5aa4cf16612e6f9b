// SPDX-License-Identifier: MIT

/// A value of one actor, or of one thread, which crosses code that is on no actor.
// @unchecked Sendable: both the code that makes it and the code that takes the value out are there.
struct ActorBound<Value>: @unchecked Sendable {
  let value: Value
}
