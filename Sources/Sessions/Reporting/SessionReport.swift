// SPDX-License-Identifier: MIT

/// A report about a session, for the operator. No client is told.
package enum SessionReport: Sendable, Equatable, CustomStringConvertible {
  /// A command ended with an error that the state does not show. The reason is the error's own text, so it
  /// holds whatever the app puts there.
  case commandFailed(command: String, model: String, reason: String)
  /// A reading of a topic that the view model follows ended with an error. The code is the place of `follow`; the reason
  /// is the error's own text.
  case readingFailed(code: String, model: String, reason: String)
  /// The method that a timer calls threw an error. The reason is the error's own text.
  case timerFailed(String, model: String, reason: String)
  /// Code that runs by itself threw an error that reached no caller, such as the handler of a followed sequence. The
  /// reason is the error's own text.
  case nobodyCaught(String, model: String, reason: String)
  /// A followed sequence waits, since what the session's client has not asked for has used up its time.
  case othersWait(String, model: String, wait: Duration)
  /// An action, or the making of a view model, took so long, or has taken so long up to now.
  case slowAction(String, model: String, took: Duration, isOver: Bool)
  /// A command's writes have made a session's state longer than a request could.
  case stateTooLong(model: String, bytes: Int, limit: Int)
  /// The database did not let an action through, and what it did is undone.
  case databaseFailed(String, model: String, reason: String)
  /// The store cannot be used, or has refused something. If it has no room, the change is not applied. In all
  /// other cases the change waits, and storing it is tried again.
  case storeFails(reason: String)
  /// The stored sessions take nearly all the bytes that they may. The number is of those that have ended for others
  /// since this was last reported.
  case storeNearlyFull(bytes: Int, limit: Int, ended: Int)
  /// The store is nearly full, and could not end sessions for others. All that it is asked for otherwise goes on.
  case roomNotMade(reason: String)
  /// The store can be used again.
  case storeWorks
  /// Something in the store could not be used, and was put aside there.
  case setAside(reason: String)
  /// The store had lost changes of a session that is in memory, as a database does that crashes. The session was
  /// stored whole again.
  case storeWasBehind(session: String)
  /// A stored session's view model could not be made again.
  case restoringFailed(model: String, reason: String)
  /// A session whose state was stored cannot be made again from it. The reason says how the surface has to be
  /// changed.
  case cannotComeBack(reason: String)
  /// The wall clock went further than the time that passed, by this much. Or, when a process began, no stored
  /// session had been used for this long, which is longer than they are kept. No session is forgotten for
  /// `rest`.
  case clockLeapt(by: Duration, isAtStart: Bool, rest: Duration)
  /// The store has forgotten sessions that had not been used, or had been closed, for long.
  case forgotten(sessions: Int)

  package var description: String {
    switch self {
    case .commandFailed(let command, let model, let reason): "command \(command) of \(model) threw \(reason)"
    case .readingFailed(let code, let model, let reason): "the reading at \(code) of \(model) threw \(reason)"
    case .timerFailed(let timer, let model, let reason): "\(timer) of \(model) threw \(reason)"
    case .nobodyCaught(let place, let model, let reason): "\(place) of \(model) threw \(reason)"
    case .othersWait(let place, let model, let wait):
      "\(place) of \(model) waits for \(Int(wait / .milliseconds(1))) ms"
    case .slowAction(let action, let model, let time, let isOver):
      "'\(action)' of \(model) \(isOver ? "held" : "has held") its session for \(Int(time / .milliseconds(1))) ms"
    case .stateTooLong(let model, let bytes, let limit):
      "the state of a \(model) has \(bytes) bytes; it may have \(limit)"
    case .databaseFailed(let action, let model, let reason): "'\(action)' of \(model) is undone: \(reason)"
    case .storeFails(let reason): "the store fails: \(reason)"
    case .storeNearlyFull(let bytes, let limit, let ended):
      "the store is nearly full: its sessions take \(bytes) bytes of \(limit), and \(ended) have ended for others"
    case .roomNotMade(let reason): "the store is nearly full, and could not end sessions: \(reason)"
    case .storeWorks: "the store works again"
    case .setAside(let reason): reason
    case .storeWasBehind(let id): "the store had lost changes of session \(id), which was stored whole again"
    case .restoringFailed(let model, let reason): "a stored \(model) could not be made again: \(reason)"
    case .cannotComeBack(let reason): reason
    case .clockLeapt(let leap, let isAtStart, let rest):
      (isAtStart
        ? "the last use of a stored session was \(leap.components.seconds) s before the start"
        : "the wall clock went \(leap.components.seconds) s further than the time that passed")
        + "; none is forgotten for \(rest.components.seconds) s"
    case .forgotten(let count): "the store has forgotten \(count) sessions that were not used, or were closed, for long"
    }
  }
}
