// SPDX-License-Identifier: MIT

/// The progress of a combiner by its ``CombineStrategy``, beside its value.
package enum StrategyProgress: Equatable, Sendable {
  /// Whether a `first` has run.
  case first(hasRun: Bool)
  /// Whether each input of an `all` has notified, in the order of combining.
  case all(hasNotified: [Bool])
}

extension Node {
  /// The progress; `nil` for a node that is no combiner, and for a combiner that runs at every notification.
  package final var strategyProgress: StrategyProgress? {
    guard has(.combiner) else { return nil }
    if has(.firstOnly) { return .first(hasRun: has(.hasRun)) }
    if has(.afterAll) { return .all(hasNotified: whetherInputsNotified) }
    return nil
  }

  /// Continues from a stored progress. Progress of another strategy, or of another number of inputs, is
  /// ignored. Call it only within ``puttingBack(_:)``.
  package final func putBack(_ progress: StrategyProgress) {
    switch (progress, strategyProgress) {
    case (.first(let hasRun), .first):
      set(.hasRun, to: hasRun)
    case (.all(let hasNotified), .all(let present)) where hasNotified.count == present.count:
      whetherInputsNotified = hasNotified
    case (.first, _), (.all, _): break
    }
  }
}
