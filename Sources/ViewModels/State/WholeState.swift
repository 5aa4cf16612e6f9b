// SPDX-License-Identifier: MIT

/// The whole that the state of a hosted view model is the one part of: it passes on that a change has begun.
final class WholeState: StatePart {
  /// A closure that is told of the first change after a stamp.
  var didBegin: () -> Void = {}
  /// Set during a change whose maker looks at its end whether the state is another one, and need not be told.
  var isExpected = false

  override func partDidBegin(_ part: StatePart) { if !isExpected { didBegin() } }
}
