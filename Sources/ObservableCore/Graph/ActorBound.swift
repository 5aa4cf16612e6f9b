// SPDX-License-Identifier: MIT

/// A value of one actor, or of one thread, on its way there through code that is on none.
// @unchecked Sendable: both the code that makes it and the code that takes the value out are there.
struct ActorBound<Value>: @unchecked Sendable {
  let value: Value
}
