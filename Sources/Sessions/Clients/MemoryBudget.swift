// SPDX-License-Identifier: MIT
import Storing
import Synchronization

/// The bytes that all sessions in memory may take, and the bytes that they take. The bytes of each session are
/// counted with the keys that it remembers.
final class MemoryBudget: Budget {
  let limit: Int
  private let sum = Atomic<Int>(0)

  init(limit: Int) { self.limit = limit }

  var bytes: Int { sum.load(ordering: .relaxed) }

  func add(_ bytes: Int) { sum.wrappingAdd(bytes, ordering: .relaxed) }

  /// The most bytes that one client may have.
  var limitOfClient: Int { limit / 8 }

  /// The sum at which sessions stop leaving.
  var aim: Int { limit / 4 * 3 }

  /// The longest state, in bytes, that a session may have even where memory is full: about that of a form.
  private static let smallState = 4_096

  /// Whether a client's states may not grow, because its sessions take as much as one client may have.
  func isUsedUp(by client: ClientUse) -> Bool { client.bytes >= limitOfClient }

  /// The longest state that a change may make where states may not grow.
  ///
  /// - Parameter length: the length of the present state.
  static func stateLimit(_ length: Int) -> Int { max(length, smallState) }
}
