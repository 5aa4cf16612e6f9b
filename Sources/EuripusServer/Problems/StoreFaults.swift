// SPDX-License-Identifier: MIT
import JSONPatching
import Locking
import Logging
import Sessions

/// The ids by which an operator finds in the log why clients were told that sessions cannot be stored or read
/// now.
///
/// A client gets a fixed sentence and the id. The log has the reason under the id. It has it once a minute for
/// each sentence, and not for each answer, since a store that fails does so for every request.
final class StoreFaults: Sendable {
  private struct Trouble {
    let id: String
    let until: ContinuousClock.Instant
    /// The sentences that clients were told. Each is in the log.
    var told: Set<String> = []
  }

  private struct State {
    var trouble: Trouble?
    /// The last reason that the store gave; `nil` if it has worked since.
    var reason: String?
  }

  private let state = Locked(State())
  private let logger: Logger
  private let now: @Sendable () -> ContinuousClock.Instant
  private let randomness: Randomness
  private static let life: Duration = .seconds(60)

  init(
    _ logger: Logger, now: @escaping @Sendable () -> ContinuousClock.Instant = { .now },
    randomness: Randomness = .system
  ) {
    (self.logger, self.now, self.randomness) = (logger, now, randomness)
  }

  /// The id under which a report is logged; `nil` for a report that is not about the store.
  func id(of report: SessionReport) -> String? {
    switch report {
    case .storeFails(let reason):
      state.withLock { state in
        state.reason = reason
        return present(&state).id
      }
    case .restoringFailed, .databaseFailed: state.withLock { present(&$0).id }
    case .storeWorks:
      state.withLock { state in
        state.reason = nil
        return nil
      }
    case .commandFailed, .readingFailed, .timerFailed, .nobodyCaught, .othersWait, .slowAction, .stateTooLong,
      .storeNearlyFull,
      .roomNotMade, .setAside, .storeWasBehind, .cannotComeBack, .clockLeapt, .forgotten:
      nil
    }
  }

  /// The problem, with the id of its reason in the log if it is about the store.
  func named(_ problem: Problem) -> Problem {
    guard problem.kind == .storeFull || problem.kind == .storeUnavailable else { return problem }
    let (id, isFirst, reason) = state.withLock { state in
      let trouble = present(&state)
      // If this is not the first sentence of the id, another line has the reason.
      let reason = trouble.told.isEmpty ? state.reason : nil
      return (trouble.id, state.trouble?.told.insert(problem.detail).inserted == true, reason)
    }
    if isFirst {
      var members: Logger.Metadata = [
        "id": "\(id)", "problem": "\(problem.kind.rawValue)", "told": "\(problem.detail)",
      ]
      if let reason { members["error"] = "\(reason)" }
      logger.warning("clients are told that their sessions cannot be stored or read now", metadata: members)
    }
    var problem = problem
    problem.members = [("id", .string(id))]
    return problem
  }

  private func present(_ state: inout State) -> Trouble {
    let now = now()
    if let trouble = state.trouble, now < trouble.until { return trouble }
    let trouble = Trouble(id: randomness.word(), until: now + Self.life)
    state.trouble = trouble
    return trouble
  }
}
