// SPDX-License-Identifier: MIT

extension Session {
  /// Runs `body` of who has the turn; anybody else is stopped.
  ///
  /// It is `assumeIsolated`, which asks its question twice, and each time first whether this is the main actor: 1,100
  /// instructions, a thirtieth of what an action costs below HTTP.
  nonisolated func inTurn<Result>(_ body: (isolated Session) throws -> Result) rethrows -> Result {
    executor.checkIsolated()
    return try isolated(body)
  }

  /// The same, where the turn was just taken.
  @inlinable @inline(__always)
  nonisolated func isolated<Result>(_ body: (isolated Session) throws -> Result) rethrows -> Result {
    try withoutActuallyEscaping(body) { body in
      // That a parameter is isolated is known to the compiler alone: the functions are one at run time, which the
      // standard library builds on in the same way.
      try unsafeBitCast(body, to: ((Session) throws -> Result).self)(self)
    }
  }
}
