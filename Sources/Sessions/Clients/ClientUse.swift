// SPDX-License-Identifier: MIT
import Synchronization

/// The use that one client makes of the server, by all its sessions in memory.
final class ClientUse: Sendable {
  /// The time that its actions may take.
  let time = TimeAllowance()
  /// The time that other code of its sessions may take, which it has not asked for.
  let timeOfOthers = TimeAllowance()
  private let sum = Atomic<Int>(0)

  init() {}

  /// The bytes that its sessions take.
  var bytes: Int { sum.load(ordering: .relaxed) }

  func add(_ bytes: Int) { sum.wrappingAdd(bytes, ordering: .relaxed) }
}
