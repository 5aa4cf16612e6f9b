// SPDX-License-Identifier: MIT
import HTTPListening
import Logging
import Sessions

extension Logger {
  /// Writes the report of a session into the log.
  ///
  /// - Parameter id: the id that clients are told (``StoreFaults``).
  func report(_ report: SessionReport, id: String? = nil) {
    let found: Metadata = id.map { ["id": "\($0)"] } ?? [:]
    switch report {
    case .commandFailed(let command, let model, let reason):
      error("a command threw", metadata: ["command": "\(command)", "model": "\(model)", "error": "\(reason)"])
    case .readingFailed(let code, let model, let reason):
      error("a reading of a topic threw", metadata: ["code": "\(code)", "model": "\(model)", "error": "\(reason)"])
    case .timerFailed(let timer, let model, let reason):
      error("a timer threw", metadata: ["timer": "\(timer)", "model": "\(model)", "error": "\(reason)"])
    case .nobodyCaught(let place, let model, let reason):
      error(
        "code threw, and nobody caught it", metadata: ["code": "\(place)", "model": "\(model)", "error": "\(reason)"])
    case .othersWait(let place, let model, let wait):
      warning(
        "a followed sequence waits for time",
        metadata: [
          "code": "\(place)", "model": "\(model)", "milliseconds": .stringConvertible(Int(wait / .milliseconds(1))),
          "remedy": "take less time for each element, or let the sequence keep only the newest one",
        ])
    case .slowAction(let action, let model, let time, let isOver):
      warning(
        isOver ? "an action held its session" : "an action holds its session",
        metadata: [
          "action": "\(action)", "model": "\(model)",
          "milliseconds": .stringConvertible(Int(time / .milliseconds(1))),
          "remedy": "await long work in a command, off the session's turn",
        ])
    case .stateTooLong(let model, let bytes, let limit):
      warning(
        "a command has made a state longer than it may be",
        metadata: ["model": "\(model)", "bytes": .stringConvertible(bytes), "limit": .stringConvertible(limit)])
    case .storeFails(let reason):
      error("the session store fails", metadata: found.merging(["error": "\(reason)"]) { $1 })
    case .storeNearlyFull(let bytes, let limit, let ended):
      warning(
        "the session store is nearly full",
        metadata: [
          "bytes": .stringConvertible(bytes), "limit": .stringConvertible(limit), "ended": .stringConvertible(ended),
          "remedy": "raise max-store if the disk has room; else find the network that opens so many sessions",
        ])
    case .roomNotMade(let reason):
      error("the session store is nearly full, and could not end sessions", metadata: ["error": "\(reason)"])
    case .storeWorks: notice("the session store works again")
    case .setAside(let reason): error("a stored session was put aside", metadata: ["reason": "\(reason)"])
    case .storeWasBehind(let id):
      warning(
        "the session store had lost changes of a session, which was stored whole again", metadata: ["session": "\(id)"])
    case .cannotComeBack(let reason):
      error("a stored session cannot be made again after a restart", metadata: ["reason": "\(reason)"])
    case .restoringFailed(let model, let reason):
      error(
        "a stored session's view model could not be made",
        metadata: found.merging(["model": "\(model)", "error": "\(reason)"]) { $1 })
    case .databaseFailed(let action, let model, let reason):
      error(
        "an action was undone, as the database did not let it through",
        metadata: found.merging(["action": "\(action)", "model": "\(model)", "error": "\(reason)"]) { $1 })
    case .clockLeapt(let leap, let isAtStart, let rest):
      warning(
        isAtStart
          ? "no stored session was used for longer than they are kept" : "the wall clock was set forward",
        metadata: [
          "seconds": .stringConvertible(leap.components.seconds),
          "forgets-none-for-seconds": .stringConvertible(rest.components.seconds),
        ])
    case .forgotten(let count):
      info("the session store has forgotten sessions", metadata: ["sessions": .stringConvertible(count)])
    }
  }

  /// Says that there were too many connections, so that some were closed.
  ///
  /// - Parameter closed: the number of connections that were closed or refused since the last such line.
  func report(crowd closed: Int, _ counts: HTTPListenerCounts) {
    warning(
      "there are too many connections",
      metadata: [
        "closed": .stringConvertible(closed), "connections": .stringConvertible(counts.connections),
        "remedy":
          "lower the limit for one address (max-connections-per-address), or raise that for all (max-connections)",
      ])
  }
}
