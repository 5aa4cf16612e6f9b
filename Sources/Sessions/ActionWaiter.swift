// SPDX-License-Identifier: MIT

/// Who waits for the commands that an action started (PROTOCOL §3, `Prefer: wait`).
public struct ActionWaiter: Sendable {
  let id: UInt64
  let answer: @Sendable (ActionAnswer) -> Void

  /// - Parameters:
  ///   - id: another one than that of any who waits.
  ///   - answer: called at most once, on some thread, after the session's turn.
  public init(id: UInt64, answer: @escaping @Sendable (ActionAnswer) -> Void) {
    self.id = id
    self.answer = answer
  }
}

/// How the wait for an action's commands ended.
public enum ActionAnswer: Sendable {
  /// The frame from before the action to now.
  case frame(Message)
  /// The session was closed.
  case closed
}

/// One action whose commands are waited for.
struct ActionWait {
  /// Who gets the answer: the first, and those who sent the same request again. Of a request with a key they may all have
  /// gone, which then is answered all the same, for who comes again.
  var readers: [ActionWaiter]
  let request: KeyedRequest?
  let since: Version
  /// The action's path, for its result.
  let path: [String]
  /// The run that the action is itself, if it is a command; the others were started by it.
  let ownRun: ObjectIdentifier?
  /// The runs that are not over.
  var runs: Set<ObjectIdentifier>
  /// The JSON of what the action's own run came to, once that is over.
  var result = Session.noResult
}
