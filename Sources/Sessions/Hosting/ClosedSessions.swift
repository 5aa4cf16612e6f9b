// SPDX-License-Identifier: MIT
import Storing

/// The closed sessions that are remembered for their owners. A value, without a lock.
struct ClosedSessions {
  /// The most closed sessions that are remembered. When there are more, the oldest are forgotten.
  private static let most = 100_000

  /// The memory of a session that was closed.
  final class Closed: Sendable {
    let model: String
    let owner: Credential
    /// The request that opened it, if that has a key.
    let opening: KeyedRequest?
    let closing: Closing

    init(model: String, owner: Credential, opening: KeyedRequest?, closing: Closing) {
      (self.model, self.owner, self.opening, self.closing) = (model, owner, opening, closing)
    }
  }

  private var byID: [String: Closed] = [:]
  /// The ids in the order of closing, each with the time at which it is forgotten. Those before `head` are
  /// forgotten already.
  private var order: [(id: String, until: ContinuousClock.Instant)] = []
  private var head = 0

  subscript(id: String) -> Closed? { byID[id] }

  mutating func add(_ closed: Closed, _ id: String, until: ContinuousClock.Instant) {
    byID[id] = closed
    order.append((id, until))
  }

  /// Forgets the sessions whose time is over, and the oldest ones if there are too many.
  mutating func forget(now: ContinuousClock.Instant) -> [(id: String, Closed)] {
    var forgotten: [(id: String, Closed)] = []
    while head < order.count, order[head].until <= now || byID.count > Self.most {
      let id = order[head].id
      if let closed = byID.removeValue(forKey: id) { forgotten.append((id, closed)) }
      head += 1
    }
    if head > 1_024, head * 2 > order.count {
      order.removeFirst(head)
      head = 0
    }
    return forgotten
  }
}
