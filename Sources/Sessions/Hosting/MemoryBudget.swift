// SPDX-License-Identifier: MIT
import Synchronization

/// The bytes that all sessions in memory may take, and the bytes that they take. The bytes of each session are
/// counted with the keys that it remembers.
///
/// The nearer the sum is to the limit, the fewer clients are let in. Clients that have most of it are stopped
/// first, then those that have no session yet.
final class MemoryBudget: Sendable {
  let limit: Int
  private let sum = Atomic<Int>(0)

  init(limit: Int) { self.limit = limit }

  var bytes: Int { sum.load(ordering: .relaxed) }

  func add(_ bytes: Int) { sum.wrappingAdd(bytes, ordering: .relaxed) }

  /// The most bytes that one client may have.
  var limitOfClient: Int { limit / 8 }

  /// The most bytes that one network may have while memory is scarce.
  private var limitOfNetwork: Int { limit / 4 }

  /// Whether memory is so scarce that sessions should leave it.
  var isNear: Bool { bytes > limit / 8 * 7 }

  /// The sum at which sessions stop leaving.
  var aim: Int { limit / 4 * 3 }

  /// Whether another session may be opened.
  ///
  /// - Parameters:
  ///   - isNewcomer: whether its client has no other session.
  ///   - network: the bytes that all sessions of its client's network take.
  func hasRoom(isNewcomer: Bool, network: Int) -> Bool {
    if !isNewcomer { return !isFull }
    return isNear ? bytes < limit / 16 * 15 && network < limitOfNetwork : true
  }

  var isFull: Bool { bytes >= limit }

  /// The longest state, in bytes, that a session may have even where memory is full: about that of a form.
  private static let smallState = 4_096

  /// Whether a client's states may not grow, because its sessions take as much as one client may have.
  func isUsedUp(by client: ClientUse) -> Bool { client.bytes >= limitOfClient }

  /// Whether no state may grow: memory is full, or it is scarce and the network has its part.
  ///
  /// - Parameter network: gives the bytes that all sessions of the network take.
  func isUsedUp(network: () -> Int) -> Bool { isFull || isNear && network() >= limitOfNetwork }

  /// The longest state that a change may make where states may not grow.
  ///
  /// - Parameter length: the length of the present state.
  static func stateLimit(_ length: Int) -> Int { max(length, smallState) }
}
