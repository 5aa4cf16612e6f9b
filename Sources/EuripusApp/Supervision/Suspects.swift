// SPDX-License-Identifier: MIT
import Glibc

/// The works that killed servers, or may have. Of more than 1,024 marks the oldest is dropped.
///
/// A trap is a proof against the work of its own thread: that work is refused at once, and its client after three of
/// its works. Any other death may be due to any work of that moment, or to none: who sent a SIGKILL cannot be known.
/// So it counts for the actions of all of them, over all clients, as a trap does for its own; after five deaths within
/// ten minutes an action is refused.
struct Suspects {
  private struct Suspect {
    /// The times of the deaths that count for it, the last one last.
    var deaths: [Int64]
    /// The time of the last death for which it is refused; `nil` for none.
    var refused: Int64?
  }

  private static let most = 1_024
  /// The number of deaths after which something is refused, and the seconds for which a death counts.
  private typealias Limit = (deaths: Int, seconds: Int64)
  private static let ofWork: Limit = (1, 600)
  private static let ofClient: Limit = (3, 3_600)
  private static let ofAction: Limit = (5, 600)

  /// The suspects, by mark.
  private var suspects: [UInt64: Suspect] = [:]

  /// The marks of works that are refused, and the time of the death for which each is. A server does them again
  /// some time after that (``WorkNotes``).
  var poisoned: [UInt64: Int64] { suspects.compactMapValues(\.refused) }

  /// Whether so many servers died of the work, of its client or of its action that it was refused. It may have been
  /// done again since, as its time was over.
  func refuse(_ work: Work) -> Bool { work.marks.contains { suspects[$0]?.refused != nil } }

  /// Counts a death.
  ///
  /// - Parameters:
  ///   - wasTold: whether the server was told to end. If it was killed then, that says nothing about its works.
  ///   - now: the time in seconds of CLOCK_MONOTONIC.
  /// - Returns: the works whose actions are refused to all clients by this death, for a while.
  @discardableResult mutating func add(_ remains: Remains, wasTold: Bool = false, now: Int64 = Suspects.now) -> [Work] {
    if let culprit = remains.culprit {
      if !culprit.isOfMany { count(culprit.mark, Self.ofWork, now) }
      count(culprit.clientMark, Self.ofClient, now)
      return count(culprit.actionMark, Self.ofAction, now) ? [culprit] : []
    }
    if wasTold { return [] }
    var (seen, refused): (Set<UInt64>, [Work]) = ([], [])
    // An action that several threads were at has one death.
    for work in remains.others where seen.insert(work.actionMark).inserted {
      if count(work.actionMark, Self.ofAction, now) { refused.append(work) }
    }
    return refused
  }

  /// - Returns: whether it is refused for this death.
  @discardableResult private mutating func count(_ mark: UInt64, _ limit: Limit, _ now: Int64) -> Bool {
    if mark == 0 { return false }
    var suspect = suspects[mark] ?? Suspect(deaths: [])
    suspect.deaths = suspect.deaths.filter { now - $0 <= limit.seconds } + [now]
    let isRefused = suspect.deaths.count >= limit.deaths
    if isRefused { suspect.refused = now }
    suspects[mark] = suspect
    if suspects.count > Self.most,
      let oldest = suspects.min(by: { $0.value.deaths.last ?? 0 < $1.value.deaths.last ?? 0 })
    {
      suspects[oldest.key] = nil
    }
    return isRefused
  }

  /// The present time in seconds of CLOCK_MONOTONIC.
  static var now: Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec)
  }
}
