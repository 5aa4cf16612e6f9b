// SPDX-License-Identifier: MIT
import Testing

/// A rule that holds for every store. Each kind of store has a test that checks all rules.
package struct StoreRule: Sendable, CustomTestStringConvertible {
  /// The rule, as the end of a sentence that begins with "A store".
  package let testDescription: String
  /// Checks the rule on a store in which nothing is.
  package let check: @Sendable (TwoOwners) throws -> Void

  init(_ rule: String, _ check: @escaping @Sendable (TwoOwners) throws -> Void) {
    (testDescription, self.check) = (rule, check)
  }

  package static let all = ofClaims + ofEnds + ofClients + ofLists + ofTimers + ofParts + ofRoom
}
