// SPDX-License-Identifier: MIT

extension Session {
  /// Runs `body` of who has the turn; anybody else is stopped.
  ///
  /// It is `assumeIsolated`, which asks its question twice, and each time first whether this is the main actor: 1,100
  /// instructions, a thirtieth of what an action cost below HTTP.
  nonisolated func inTurn<Result>(_ body: @escaping (isolated Session) -> Result) -> Result {
    executor.checkIsolated()
    return Isolated(run: body).plain(self)
  }

  /// The same, where the turn was just taken.
  @inlinable
  nonisolated func isolated<Result>(_ body: (isolated Session) -> Result) -> Result {
    withoutActuallyEscaping(body) { body in Isolated(run: body).plain(self) }
  }
}

/// A function that is called in a session's turn.
@usableFromInline
struct Isolated<Result> {
  @usableFromInline let run: (isolated Session) -> Result

  @inlinable
  init(run: @escaping (isolated Session) -> Result) { self.run = run }

  /// The same function, for who knows that this is the turn.
  // That a parameter is isolated is known to the compiler alone: the functions are one at run time, which the standard
  // library builds on too. A field keeps its function as it is, where a generic parameter would take it in another form.
  @inlinable
  var plain: (Session) -> Result { unsafeBitCast(self, to: Plain<Result>.self).run }
}

@usableFromInline
struct Plain<Result> {
  @usableFromInline let run: (Session) -> Result
}

/// The same of a function that is given something.
@usableFromInline
struct IsolatedWith<Input, Result> {
  @usableFromInline let run: (isolated Session, Input) -> Result

  @inlinable
  init(run: @escaping (isolated Session, Input) -> Result) { self.run = run }

  @inlinable
  var plain: (Session, Input) -> Result { unsafeBitCast(self, to: PlainWith<Input, Result>.self).run }
}

@usableFromInline
struct PlainWith<Input, Result> {
  @usableFromInline let run: (Session, Input) -> Result
}
