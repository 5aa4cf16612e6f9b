// SPDX-License-Identifier: MIT
import Synchronization

/// The use that one client makes of the server with all its sessions in memory.
final class ClientUse: Sendable {
  /// The time that its actions may take.
  let time = TimeAllowance()
  private let sum = Atomic<Int>(0)

  init() {}

  /// The bytes of its sessions.
  var bytes: Int { sum.load(ordering: .relaxed) }

  func add(_ bytes: Int) { sum.wrappingAdd(bytes, ordering: .relaxed) }
}
