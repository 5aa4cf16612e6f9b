// SPDX-License-Identifier: MIT
import Glibc

/// The works that killed servers, or may have. Of more than 1,024 marks the oldest is dropped.
///
/// A trap is a proof against the work of its own thread: that work is refused at once, and its client after three of
/// its works. Any other death may be due to any work of that moment, or to none: who sent a SIGKILL cannot be known.
/// So every death counts for the actions at work, over all clients, and five within ten minutes are enough.
struct Suspects {
  private struct Suspect {
    /// The times of the deaths that count for it, the last one last.
    var deaths: [Int64]
    /// The time of the last death for which it is refused; `nil` for none.
    var refused: Int64?
  }

  private static let most = 1_024
  /// The deaths after which a work, a client and an action are refused.
  private static let (tooManyOfWork, tooManyOfClient, tooManyOfAction) = (1, 3, 5)
  /// The seconds for which a death counts.
  private static let memory: Int64 = 600

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
      if !culprit.isOfMany { count(culprit.mark, tooMany: Self.tooManyOfWork, now) }
      count(culprit.client, tooMany: Self.tooManyOfClient, now)
      return count(culprit.action, tooMany: Self.tooManyOfAction, now) ? [culprit] : []
    }
    if wasTold { return [] }
    // An action that several threads were at has one death.
    let works = Dictionary(remains.others.map { ($0.action, $0) }) { first, _ in first }
    return works.filter { count($0.key, tooMany: Self.tooManyOfAction, now) }.map(\.value)
  }

  /// - Returns: whether it is refused for this death.
  @discardableResult private mutating func count(_ mark: UInt64, tooMany: Int, _ now: Int64) -> Bool {
    if mark == 0 { return false }
    var suspect = suspects[mark] ?? Suspect(deaths: [])
    suspect.deaths = suspect.deaths.filter { now - $0 <= Self.memory } + [now]
    let isRefused = suspect.deaths.count >= tooMany
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
