// SPDX-License-Identifier: MIT

/// The promise of an answer of the server (PROTOCOL §8).
public enum Durability: String, Sendable, CaseIterable, Comparable {
  /// Nothing is kept over a restart.
  case memory
  /// An answered change survives a process that is killed.
  case relaxed
  /// An answered change survives a power cut.
  case acknowledged

  public static func < (left: Durability, right: Durability) -> Bool { left.rank < right.rank }

  private var rank: Int {
    switch self {
    case .memory: 0
    case .relaxed: 1
    case .acknowledged: 2
    }
  }
}
