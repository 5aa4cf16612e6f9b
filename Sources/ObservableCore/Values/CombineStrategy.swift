// SPDX-License-Identifier: MIT

/// The rule that says when a combiner's handler runs.
public enum CombineStrategy: Sendable {
  /// The handler runs once in the combiner's life, at the first notification of any input (S0-16).
  case first
  /// The handler runs at every notification, once every input has notified at least once since it was combined.
  /// Values that inputs had before do not count (S0-17).
  case all
  /// The handler runs at every notification of any input (S0-15).
  case every
}
