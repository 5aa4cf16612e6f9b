// SPDX-License-Identifier: MIT

/// The graph of a ``HeadedShape``: one signal is written, one result is read, and calls of observers are counted.
public struct HeadedGraph<Framework: ReactiveFramework<Int>> {
  public let head: Framework.Signal
  public let result: Framework.Computed
  public let calls: Counter
  /// Parts that would go if nobody held them.
  public let computeds: [Framework.Computed]
  public let subscriptions: [Framework.Subscription]

  /// - Parameter computeds: all of them; the last one is the result.
  @inlinable public init(
    head: Framework.Signal, computeds: [Framework.Computed], calls: Counter, subscriptions: [Framework.Subscription]
  ) {
    self.head = head
    self.result = computeds[computeds.count - 1]
    self.calls = calls
    self.computeds = computeds
    self.subscriptions = subscriptions
  }
}
