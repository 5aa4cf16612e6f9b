// SPDX-License-Identifier: MIT

/// The owner of nodes that are made while it is entered, in the plain system.
final class PlainScope {
  struct Member {
    weak var object: PlainMember?
  }

  var members: [Member] = []
  private(set) var isClosed = false

  deinit { close() }

  var memberCount: Int { members.count { $0.object != nil } }

  func close() {
    isClosed = true
    let living = members.compactMap { $0.object }
    for member in living { member.tearDown() }
  }
}
