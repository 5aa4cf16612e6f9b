// SPDX-License-Identifier: MIT

/// How far a combiner has come by its ``CombineStrategy``, beside the value that it has.
package enum StrategyProgress: Equatable, Sendable {
  /// Whether a `first` has run.
  case first(hasRun: Bool)
  /// Which of an `all`'s inputs have notified, in the order of combining.
  case all(hasNotified: [Bool])
}

extension Node {
  /// `nil` for a node that is no combiner, and for one that runs at every notification.
  package final var strategyProgress: StrategyProgress? {
    guard state.has(.combiner) else { return nil }
    if state.has(.firstOnly) { return .first(hasRun: state.has(.hasRun)) }
    if state.has(.afterAll) { return .all(hasNotified: state.inputLinks.map(\.pointee.hasNotified)) }
    return nil
  }

  /// Goes on from there; what is of another strategy, or of another number of inputs, is left alone. Only within
  /// ``puttingBack(_:)``.
  package final func putBack(_ progress: StrategyProgress) {
    switch (progress, strategyProgress) {
    case (.first(let hasRun), .first):
      if hasRun { state.pointee.flags.insert(.hasRun) } else { state.pointee.flags.remove(.hasRun) }
    case (.all(let hasNotified), .all(let present)) where hasNotified.count == present.count:
      for (link, hasNotified) in zip(state.inputLinks, hasNotified) { link.pointee.hasNotified = hasNotified }
    case (.first, _), (.all, _): break
    }
  }
}

extension UnsafeMutablePointer<NodeState> {
  fileprivate var inputLinks: [LinkPointer] {
    var links: [LinkPointer] = []
    var next = pointee.inputs
    while let link = next {
      links.append(link)
      next = link.pointee.nextInput
    }
    return links
  }
}
