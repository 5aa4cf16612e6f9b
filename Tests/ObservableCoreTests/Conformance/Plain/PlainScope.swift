// SPDX-License-Identifier: MIT

/// The owner of nodes that are made while it is entered, in the plain system.
final class PlainScope: Scope {
  struct Member {
    weak var object: PlainMember?
  }

  private unowned let system: PlainSystem
  var members: [Member] = []
  private(set) var isClosed = false

  init(_ system: PlainSystem) { self.system = system }

  deinit { close() }

  var memberCount: Int { members.count { $0.object != nil } }

  func enter<Result>(_ body: () throws -> Result) throws -> Result {
    let outer = system.enteredScope
    system.enteredScope = self
    defer { system.enteredScope = outer }
    return try body()
  }

  func close() {
    isClosed = true
    let living = members.compactMap { $0.object }
    for member in living { member.tearDown() }
  }
}
