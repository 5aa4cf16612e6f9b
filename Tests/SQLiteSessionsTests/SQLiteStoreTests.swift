// SPDX-License-Identifier: MIT
import SQLiteSessions
import StoreRules
import Testing

@Suite struct `A store in a file` {
  /// Two owners of a new store. It has no lock, so that the claims alone keep the owners apart.
  private func owners() throws -> TwoOwners {
    let place = try Place()
    return try TwoOwners((0..<2).map { _ in SQLiteStore(path: place.path, isExclusive: false) }, in: place)
  }

  @Test(arguments: StoreRule.all) func `keeps each rule of a store`(_ rule: StoreRule) throws {
    try rule.check(owners())
  }

  @Test func `keeps two owners from undoing each other's work, whatever they do`() throws {
    try StoreScript.run(rounds: 12) { try owners() }
  }
}
