// SPDX-License-Identifier: MIT

extension Actor {
  /// Whether the actor's executor knows that the running code is not on it. A plain actor, which has none of its own,
  /// cannot say.
  nonisolated var knowsCallerOutside: Bool {
    let executor = unownedExecutor
    // The second word of a plain actor's, the executor's conformance, is 0, and `asSerialExecutor()` reads through it all the
    // same (Swift 6.3.1).
    let isPlain = unsafeBitCast(executor, to: (UInt, UInt).self).1 == 0
    return !isPlain && executor.asSerialExecutor()?.isIsolatingCurrentContext() == false
  }
}
