// SPDX-License-Identifier: MIT

/// The bytes that the stored sessions of one network take: those of users, or all others.
package struct StoreShare: Sendable, Hashable {
  /// The number of the network that the sessions were opened from.
  package let network: Int64
  package let isOfUsers: Bool
  package var bytes: Int

  package init(_ network: Int64, isOfUsers: Bool, bytes: Int) {
    (self.network, self.isOfUsers, self.bytes) = (network, isOfUsers, bytes)
  }
}

/// The bytes that sessions take in a store, and the decision which of them end where few are left. A value, without
/// a store.
package struct StoreRoom: Budget, Equatable {
  package let limit: Int
  package let bytes: Int
  /// The heaviest shares. A store tells no more than ``mostShares``.
  package let heaviest: [StoreShare]

  package init(limit: Int, bytes: Int = 0, heaviest: [StoreShare] = []) {
    (self.limit, self.bytes, self.heaviest) = (limit, bytes, heaviest)
  }

  package static let mostShares = 32

  /// The bytes of all stored sessions of a network. A network that has more than an eighth of the limit is always
  /// among the heaviest.
  package func bytes(of network: Int64) -> Int {
    heaviest.lazy.filter { $0.network == network }.reduce(0) { $0 + $1.bytes }
  }

  /// The shares that give back room, each with the bytes that it gives; none while there is room enough.
  ///
  /// First a network gives back what it has above its part of the budget. Then sessions of nobody who has signed in
  /// end, of the heaviest network first, until others have as many bytes. Sessions of users end last.
  ///
  /// One step gives back a small part of the budget alone, so that the shares that are not told here, which are
  /// lighter, stay about as heavy as these.
  package var surplus: [StoreShare] {
    guard isNear else { return [] }
    var left = heaviest
    var rest = max(1, limit / 64)
    for network in heaviest.map(\.network) {
      let those = left.indices.filter { left[$0].network == network }
      var above = those.reduce(-limitOfNetwork) { $0 + left[$1].bytes }
      for index in those.filter({ !left[$0].isOfUsers }) + those.filter({ left[$0].isOfUsers }) {
        let given = max(0, min(above, rest, left[index].bytes))
        left[index].bytes -= given
        (above, rest) = (above - given, rest - given)
      }
    }
    for isOfUsers in [false, true] {
      let those = left.indices.filter { left[$0].isOfUsers == isOfUsers }
      let level = Self.level(those.map { left[$0].bytes }, giving: rest)
      for index in those where left[index].bytes > level {
        rest -= left[index].bytes - level
        left[index].bytes = level
      }
    }
    return zip(heaviest, left).filter { $0.bytes > $1.bytes }.map { before, after in
      StoreShare(before.network, isOfUsers: before.isOfUsers, bytes: before.bytes - after.bytes)
    }
  }

  /// The level at which shares stand when those above it have given back `rest` together; 0 if they have less.
  private static func level(_ shares: [Int], giving rest: Int) -> Int {
    let shares = shares.sorted(by: >)
    if rest <= 0 { return shares.first ?? 0 }
    var sum = 0
    for (count, share) in zip(1..., shares) {
      sum += share
      let level = (sum - rest) / count
      if count == shares.count || level >= shares[count] { return max(0, level) }
    }
    return 0
  }
}

extension StoreRoom {
  /// The bytes that a session is counted with at least, and by which its count grows: a change that makes a session
  /// a little longer changes no sum.
  package static let page = 4_096

  /// The bytes in whole pages.
  package static func pages(_ bytes: Int) -> Int { (bytes + page - 1) / page * page }
}
