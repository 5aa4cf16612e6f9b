// SPDX-License-Identifier: MIT
import JSONPatching

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
  /// What they came to was not stored, and why.
  case failed(SessionError)
}

/// One action whose commands are waited for.
struct ActionWait {
  /// Who gets the answer: the first, and those who sent the same request again. Of a request with a key they may all have
  /// gone, which then is answered all the same, for who comes again.
  var readers: [ActionWaiter]
  let request: KeyedRequest?
  let since: Version
  var results: ActionResults
  /// The runs that are not over.
  var runs: Set<UInt64>
}

/// What actions came to, for the frame that answers them.
struct ActionResults {
  struct Part {
    /// The action's path.
    let path: [String]
    /// The run that the action is itself, while that is not over; others may have been started by it.
    let run: UInt64?
    /// The JSON of what it came to.
    var result = Session.noResult
  }

  /// Whether they are of a batch, and the frame has a list of them.
  let isBatch: Bool
  var parts: [Part]

  static func one(_ path: [String], _ run: UInt64?, _ result: [UInt8] = Session.noResult) -> ActionResults {
    ActionResults(isBatch: false, parts: [Part(path: path, run: run, result: result)])
  }

  func write(to writer: inout JSONWriter) {
    guard isBatch else {
      writer.key("result")
      return writer.raw(parts.first?.result ?? Session.noResult)
    }
    writer.key("results")
    writer.beginArray()
    for part in parts { writer.raw(part.result) }
    writer.endArray()
  }
}
