// SPDX-License-Identifier: MIT

/// A connection on which no request has wholly come, or whose answer was its last, so that it may be closed to make
/// room for others.
struct IdleConnection {
  /// Where the loop keeps it, by the slot there.
  enum Place: Equatable {
    case open(Int)
    /// The server has closed it, and its client has not (``EventLoop/Lingering``).
    case lingering(Int)
  }

  /// The number of idle connections that a network keeps in any case while they are young. A browser begins six.
  static let mostYoung = 6
  /// The age, in nanoseconds, from which on an idle connection is not young.
  static let youth: UInt64 = 1_000_000_000

  let place: Place
  let network: AddressKey
  /// Whether a request of a known client has come on it.
  let isKnown: Bool
  /// The time for which it has been idle, in nanoseconds.
  let age: UInt64

  /// The connections that may be closed, in the order in which they go. Those without a request of a known client come
  /// first. Of these and of the others, the network with the most connections comes first, until others have as many.
  /// Within a network the oldest comes first. O(connections · log connections).
  ///
  /// - Parameter busy: the numbers of the other connections, by network.
  static func leaving(_ idle: [IdleConnection], beside busy: [AddressKey: Int]) -> [IdleConnection] {
    // Each gets a number: it is the last one of its network if all that go before it have gone.
    var counts = busy
    let numbered = idle.sorted { $0.staysLonger(than: $1) }.map { connection in
      counts[connection.network, default: 0] += 1
      return (connection: connection, number: counts[connection.network] ?? 0)
    }
    let free = numbered.filter { $0.number > mostYoung || $0.connection.age >= youth }
    return free.sorted { one, other in
      one.connection.isKnown == other.connection.isKnown
        ? one.number > other.number : other.connection.isKnown
    }.map(\.connection)
  }

  private func staysLonger(than other: IdleConnection) -> Bool {
    isKnown == other.isKnown ? age < other.age : isKnown
  }
}
