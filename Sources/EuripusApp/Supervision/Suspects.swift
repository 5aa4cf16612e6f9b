// SPDX-License-Identifier: MIT
import Glibc

/// The works that killed servers, or may have. Of more than 1,024 marks the oldest is dropped.
///
/// A trap is a proof: the work of its own thread is refused at once, and the things that it is a part of are
/// trusted less each time. Any other death may be due to any work of that moment, or to none: who sent a SIGKILL
/// cannot be known. So it is a suspicion. It counts for ten minutes, by the action and the view model, over all
/// clients. Traps count as such too, so five deaths within ten minutes are enough, whatever they are.
struct Suspects {
  private struct Suspect {
    /// The deaths that are proved.
    var traps = 0
    /// The times of the last deaths that may be due to it.
    var suspicions: [Int64] = []
    /// The clients whose works killed servers; each counts once.
    var clients: Set<UInt64> = []
    var last: Int64
    /// The time of the last death for which it is refused; `nil` for none.
    var refused: Int64?
  }

  private static let most = 1_024
  /// The traps after which a work is refused, where it is not known which of several works trapped; the next
  /// ones are those of an action, a session and a client.
  private static let tooMany = 2
  private static let tooManyOfAction = 2
  private static let tooManyOfSession = 3
  private static let tooManyOfClient = 3
  /// The number of clients after which an action that kills servers is refused to all, and the number of deaths
  /// of a route.
  private static let tooManyEverywhere = 3
  /// The deaths of whatever kind after which an action is refused to all.
  private static let tooManySuspicions = 5
  /// The seconds for which a suspicion counts.
  private static let memory: Int64 = 600

  /// The suspects, by mark.
  private var suspects: [UInt64: Suspect] = [:]

  /// The marks of works that are refused, and the time of the death for which each is. A server does them again
  /// some time after that (``WorkNotes``).
  var poisoned: [UInt64: Int64] { suspects.compactMapValues(\.refused) }

  /// Whether so many servers died of the work, or of something that it is a part of, that it was refused. It may
  /// have been done again since, as its time was over.
  func refuse(_ work: Work) -> Bool {
    let wider = work.wider
    return [work.mark, wider.action, wider.session, wider.client, wider.everywhere].contains(where: isRefused)
  }

  private func isRefused(_ mark: UInt64) -> Bool { suspects[mark]?.refused != nil }

  /// Counts a death.
  ///
  /// - Parameters:
  ///   - wasTold: whether the server was told to end. If it was killed then, that says nothing about its works.
  ///   - now: the time in seconds of CLOCK_MONOTONIC.
  /// - Returns: the works that are refused to all clients by this death, for a while.
  @discardableResult mutating func add(_ remains: Remains, wasTold: Bool = false, now: Int64 = Suspects.now) -> [Work] {
    if let culprit = remains.culprit {
      if !culprit.isOfMany { prove(culprit.mark, refusedAfter: 1, now) }
      prove(culprit.wider.action, refusedAfter: Self.tooManyOfAction, now)
      prove(culprit.wider.session, refusedAfter: Self.tooManyOfSession, now)
      prove(culprit.wider.client, refusedAfter: Self.tooManyOfClient, now)
      proveEverywhere(culprit.wider, now)
      suspect([culprit], now)
      return isRefused(culprit.wider.everywhere) ? [culprit] : []
    }
    if wasTold { return [] }
    if remains.isTrapWithoutBacktrace {
      for work in remains.others where !work.isOfMany { prove(work.mark, refusedAfter: Self.tooMany, now) }
    }
    return suspect(remains.others, now)
  }

  /// Counts the clients for which an action traps. If it is one client each time, that client is refused; an
  /// action that traps for several is broken.
  private mutating func proveEverywhere(_ wider: Work.Wider, _ now: Int64) {
    let mark = wider.everywhere
    // The client of a request to a route is not known.
    let isNew = wider.client == 0 || suspects[mark]?.clients.contains(wider.client) != true
    prove(mark, traps: isNew ? 1 : 0, refusedAfter: Self.tooManyEverywhere, now)
    suspects[mark]?.clients.insert(wider.client)
  }

  private mutating func prove(_ mark: UInt64, traps: Int = 1, refusedAfter limit: Int, _ now: Int64) {
    change(mark, now) { suspect in
      suspect.traps += traps
      if suspect.traps >= limit { suspect.refused = now }
    }
  }

  /// - Returns: the works that are refused now.
  @discardableResult private mutating func suspect(_ works: [Work], _ now: Int64) -> [Work] {
    var (seen, refused): (Set<UInt64>, [Work]) = ([], [])
    // An action that several threads were at has one death.
    for work in works where seen.insert(work.suspicion).inserted {
      change(work.suspicion, now) { suspect in
        suspect.suspicions = suspect.suspicions.filter { now - $0 <= Self.memory } + [now]
        if suspect.suspicions.count >= Self.tooManySuspicions { suspect.refused = now }
      }
      if suspects[work.suspicion]?.refused == now { refused.append(work) }
    }
    return refused
  }

  private mutating func change(_ mark: UInt64, _ now: Int64, _ body: (inout Suspect) -> Void) {
    if mark == 0 { return }
    var suspect = suspects[mark] ?? Suspect(last: now)
    suspect.last = now
    body(&suspect)
    suspects[mark] = suspect
    guard suspects.count > Self.most, let oldest = suspects.min(by: { $0.value.last < $1.value.last }) else { return }
    suspects[oldest.key] = nil
  }

  /// The present time in seconds of CLOCK_MONOTONIC.
  static var now: Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec)
  }
}
