// SPDX-License-Identifier: MIT
import StoreRules
import Storing
import Testing

@Suite struct `A store in memory` {
  private func owners() throws -> TwoOwners {
    let memory = MemorySessions()
    return try TwoOwners([memory, MemorySessions(sharing: memory)])
  }

  @Test(arguments: StoreRule.all) func `keeps each rule of a store`(_ rule: StoreRule) throws {
    try rule.check(owners())
  }

  @Test func `keeps two owners from undoing each other's work, whatever they do`() throws {
    try StoreScript.run(rounds: 100) { try owners() }
  }
}
