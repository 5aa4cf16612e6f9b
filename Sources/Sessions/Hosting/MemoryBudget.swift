// SPDX-License-Identifier: MIT
import Synchronization

/// The bytes that all sessions in memory may take, and those that they take: as counted of each, with the keys that it
/// remembers.
///
/// The nearer the sum is to the limit, the fewer are let in: the clients with most of it stop first, then those with no
/// session yet.
final class MemoryBudget: Sendable {
  let limit: Int
  private let sum = Atomic<Int>(0)

  init(limit: Int) { self.limit = limit }

  var bytes: Int { sum.load(ordering: .relaxed) }

  func add(_ bytes: Int) { sum.wrappingAdd(bytes, ordering: .relaxed) }

  /// The part of one client.
  var limitOfClient: Int { limit / 8 }

  /// The part of one network, for as long as there is little left.
  private var limitOfNetwork: Int { limit / 4 }

  /// Whether there is so little left that sessions should leave.
  var isNear: Bool { bytes > limit / 8 * 7 }

  /// The sum that is aimed at when sessions leave.
  var aim: Int { limit / 4 * 3 }

  /// Whether another session may be opened.
  ///
  /// - Parameters:
  ///   - isNewcomer: whether its client has no other.
  ///   - network: the bytes of all sessions of its client's network.
  func hasRoom(isNewcomer: Bool, network: Int) -> Bool {
    if !isNewcomer { return !isFull }
    return isNear ? bytes < limit / 16 * 15 && network < limitOfNetwork : true
  }

  var isFull: Bool { bytes >= limit }

  /// The state that sessions may have even where there is nothing left: about what a form takes.
  private static let smallState = 4_096

  /// Whether a client's states may not grow, as its sessions have the part of one client.
  func isUsedUp(by client: ClientUse) -> Bool { client.bytes >= limitOfClient }

  /// Whether no state may grow: there is nothing left, or little of which the network has its part.
  ///
  /// - Parameter network: the bytes of all sessions of the network.
  func isUsedUp(network: () -> Int) -> Bool { isFull || isNear && network() >= limitOfNetwork }

  /// The longest state that a change may make where states may not grow.
  ///
  /// - Parameter length: of the state that there is.
  static func stateLimit(_ length: Int) -> Int { max(length, smallState) }
}
