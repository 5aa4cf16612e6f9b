// SPDX-License-Identifier: MIT

/// The parent of a hosted view model's state: it passes on that a change has begun.
final class WholeState: StatePart {
  /// Called at the first change after a stamp.
  var didBegin: () -> Void = {}
  /// Set during a change whose caller looks at its end whether the state has changed, and need not be told.
  var isExpected = false

  override func partDidBegin(_ part: StatePart) { if !isExpected { didBegin() } }
}
