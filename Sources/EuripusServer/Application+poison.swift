// SPDX-License-Identifier: MIT
import AtWork
import HTTPListening
import Sessions

/// What a supervised server notes of its requests, and what it refuses because an earlier one died of it (PROTOCOL §9).
extension Application {
  /// Has it noted that a request is at work while `body` runs.
  ///
  /// - Throws: `poisoned`, if a server died of it and it changes nothing; see ``refusePoisoned()`` for one that does.
  func noting(
    _ request: HTTPRequest, of route: Route, _ body: () throws -> HTTPAnswer
  ) throws -> HTTPAnswer {
    guard let notes, route.runsViewModel else { return try body() }
    let method = request.method
    return try notes.during(Work(method: method, target: request.targetBytes, body: request.body)) {
      if method == "GET" || method == "HEAD" { try refusePoisoned() }
      return try body()
    }
  }

  /// Runs `body` with a note of what was at work when it was put off.
  ///
  /// - Parameter work: ``atWork`` of then.
  func noting<Result>(_ work: Work?, _ body: () throws -> Result) rethrows -> Result {
    guard let notes, let work else { return try body() }
    return try notes.during(work, body)
  }

  /// What a request asked for is done. To be called in the session's turn: before that is given back, a thread does what others
  /// have left there, steps of commands among it.
  func workIsOver() { notes?.end() }

  /// What this thread is at, to be noted again by whoever goes on with it.
  var atWork: Work? { notes?.current }

  /// To be called where a change is known to be a new one, which has no answer yet.
  ///
  /// - Throws: `poisoned`, if a server died of what this thread is at.
  func refusePoisoned() throws(SessionError) {
    if notes?.isPoisoned() == true { throw .poisoned }
  }
}

extension Route {
  /// Whether what is done there is done by a view model.
  var runsViewModel: Bool {
    switch self {
    case .sessions, .session, .value, .action, .actions, .changes: true
    default: false
    }
  }
}
