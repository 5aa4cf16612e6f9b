// SPDX-License-Identifier: MIT
import Glibc

/// The works that servers died of, or may have died of; of more than 1,024 marks the oldest is dropped.
///
/// A trap is its own thread's work's: that is not done again, and what it is a part of is trusted less each time. A death from
/// outside may be due to any work of that moment, or to none: a work is poisoned when it was there twice.
struct Suspects {
  private struct Suspect {
    var deaths: Int
    let tooMany: Int
    var last: Int64
    /// The clients whose works they died of, where each counts once.
    var clients: Set<UInt64> = []
  }

  private static let most = 1_024
  /// The deaths after which a work is not done again, and those of an action, a session and a client.
  private static let tooMany = 2
  private static let tooManyOfAction = 2
  private static let tooManyOfSession = 3
  private static let tooManyOfClient = 3
  /// The clients with which an action is deadly that is not done for anybody any more, and the deaths of a route.
  private static let tooManyEverywhere = 3

  /// The suspects, by mark.
  private var suspects: [UInt64: Suspect] = [:]

  /// The marks of works that are not to be done again, and when the last server died of each.
  var poisoned: [UInt64: Int64] {
    suspects.filter { $0.value.deaths >= $0.value.tooMany }.mapValues(\.last)
  }

  /// Whether so many servers died of the work, or of something that it is a part of, that it was not to be done again; an opening,
  /// which is tried again after a while, counts as well.
  func refuse(_ work: Work) -> Bool {
    let wider = work.wider
    return [work.mark, wider.action, wider.session, wider.client, wider.everywhere].contains(where: isRefused)
  }

  private func isRefused(_ mark: UInt64) -> Bool { suspects[mark].map { $0.deaths >= $0.tooMany } ?? false }

  /// - Parameter now: seconds of CLOCK_MONOTONIC.
  /// - Returns: whether the action that the server died of is refused to everybody from now on, for a while.
  @discardableResult mutating func add(_ remains: Remains, now: Int64 = Suspects.now) -> Bool {
    if let culprit = remains.culprit {
      if !culprit.isOfMany { add(culprit.mark, deaths: Self.tooMany, of: Self.tooMany, now) }
      add(culprit.wider.action, of: Self.tooManyOfAction, now)
      add(culprit.wider.session, of: Self.tooManyOfSession, now)
      add(culprit.wider.client, of: Self.tooManyOfClient, now)
      return addEverywhere(culprit.wider, now)
    } else if remains.backtrace == nil {
      for work in remains.others where !work.isOfMany { add(work.mark, of: Self.tooMany, now) }
    }
    return false
  }

  /// One client that has an action trap again and again is refused by itself: an action that does so with several is broken.
  private mutating func addEverywhere(_ wider: Work.Wider, _ now: Int64) -> Bool {
    let mark = wider.everywhere
    // The client that asks a route is not known.
    let isNew = wider.client == 0 || suspects[mark]?.clients.contains(wider.client) != true
    add(mark, deaths: isNew ? 1 : 0, of: Self.tooManyEverywhere, now)
    suspects[mark]?.clients.insert(wider.client)
    return isRefused(mark)
  }

  private mutating func add(_ mark: UInt64, deaths: Int = 1, of tooMany: Int, _ now: Int64) {
    if mark == 0 { return }
    var suspect = suspects[mark] ?? Suspect(deaths: 0, tooMany: tooMany, last: now)
    suspect.deaths += deaths
    suspect.last = now
    suspects[mark] = suspect
    guard suspects.count > Self.most, let oldest = suspects.min(by: { $0.value.last < $1.value.last }) else { return }
    suspects[oldest.key] = nil
  }

  /// Seconds of CLOCK_MONOTONIC.
  static var now: Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec)
  }
}
