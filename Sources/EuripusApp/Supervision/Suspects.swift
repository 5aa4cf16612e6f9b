// SPDX-License-Identifier: MIT
import Glibc

/// The works that killed servers, or may have. Of more than 1,024 marks the oldest is dropped.
///
/// A trap is due to the work of its own thread: that work is not done again, and the things that it is a part
/// of are trusted less each time. A death from outside may be due to any work of that moment, or to none: a
/// work is poisoned when it was there at two deaths.
struct Suspects {
  private struct Suspect {
    var deaths: Int
    let tooMany: Int
    var last: Int64
    /// The clients whose works killed servers; each counts once.
    var clients: Set<UInt64> = []
  }

  private static let most = 1_024
  /// The deaths after which a work is not done again; the next ones are those of an action, a session and a
  /// client.
  private static let tooMany = 2
  private static let tooManyOfAction = 2
  private static let tooManyOfSession = 3
  private static let tooManyOfClient = 3
  /// The number of clients after which an action that kills servers is refused to all, and the number of deaths
  /// of a route.
  private static let tooManyEverywhere = 3

  /// The suspects, by mark.
  private var suspects: [UInt64: Suspect] = [:]

  /// The marks of works that are not to be done again, and the time of the last death of each.
  var poisoned: [UInt64: Int64] {
    suspects.filter { $0.value.deaths >= $0.value.tooMany }.mapValues(\.last)
  }

  /// Whether so many servers died of the work, or of something that it is a part of, that it should not have
  /// been done again. An opening, which is tried again after a while, counts too.
  func refuse(_ work: Work) -> Bool {
    let wider = work.wider
    return [work.mark, wider.action, wider.session, wider.client, wider.everywhere].contains(where: isRefused)
  }

  private func isRefused(_ mark: UInt64) -> Bool { suspects[mark].map { $0.deaths >= $0.tooMany } ?? false }

  /// - Parameter now: the time in seconds of CLOCK_MONOTONIC.
  /// - Returns: whether the action that killed the server is refused to all clients from now on, for a while.
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

  /// Counts the clients for which an action traps. If it is one client each time, that client is refused; an
  /// action that traps for several is broken.
  private mutating func addEverywhere(_ wider: Work.Wider, _ now: Int64) -> Bool {
    let mark = wider.everywhere
    // The client of a request to a route is not known.
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

  /// The present time in seconds of CLOCK_MONOTONIC.
  static var now: Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec)
  }
}
