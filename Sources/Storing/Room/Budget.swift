// SPDX-License-Identifier: MIT

/// Bytes that all sessions share, and the rule for who gets no more of them where they are scarce. Memory and the
/// store have the same rule.
///
/// The nearer the sum is to the limit, the fewer clients are let in. Networks that have most of it are stopped first,
/// then clients that have no session yet, and at last everybody.
package protocol Budget: Sendable {
  /// The bytes that all sessions may take.
  var limit: Int { get }
  /// The bytes that they take.
  var bytes: Int { get }
}

extension Budget {
  /// The most bytes that one network may have where bytes are scarce.
  var limitOfNetwork: Int { limit / 4 }

  /// Whether bytes are so scarce that sessions should give some back.
  package var isNear: Bool { bytes > limit / 8 * 7 }

  /// Whether another session may be opened.
  ///
  /// - Parameters:
  ///   - isNewcomer: whether its client has no other session.
  ///   - network: the bytes that all sessions of its client's network take.
  package func hasRoom(isNewcomer: Bool, network: Int) -> Bool {
    if !isNewcomer { return !isFull }
    return isNear ? bytes < limit / 16 * 15 && network < limitOfNetwork : true
  }

  package var isFull: Bool { bytes >= limit }

  /// Whether no state may grow: nothing is left, or bytes are scarce and the network has its part.
  ///
  /// - Parameter network: gives the bytes that all sessions of the network take.
  package func isUsedUp(network: () -> Int) -> Bool { isFull || isNear && network() >= limitOfNetwork }
}
