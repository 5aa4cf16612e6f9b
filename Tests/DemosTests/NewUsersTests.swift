// SPDX-License-Identifier: MIT
import Testing

@testable import Demos

@Suite struct `New users of a day` {
  @Test func `are few of one network, and of another one as many`() throws {
    var new = NewUsers()
    for _ in 1...NewUsers.most {
      try new.check("one", on: 7)
      new.add("one", on: 7)
      new.add("", on: 7)
    }
    #expect(throws: LoginRefusal.tooManyNew) { try new.check("one", on: 7) }
    for (network, day) in [("two", 7), ("", 7), ("one", 8)] { try new.check(network, on: day) }
  }
}
