// SPDX-License-Identifier: MIT

/// Kairo's "broad": one signal under 50 chains of two computeds and an observer.
public struct Broad<Framework: ReactiveFramework<Int>>: HeadedShape {
  @inlinable public static var name: StaticString { "broad" }
  @inlinable public static var writes: Int { 50 }
  @inlinable public static var calls: Int { writes * chains }
  @inlinable public static func result(of value: Int) -> Int { value + chains }
  /// The number of chains that hang on the signal.
  @inlinable public static var chains: Int { 50 }

  public let graph: HeadedGraph<Framework>

  @inlinable public init(_ graph: HeadedGraph<Framework>) { self.graph = graph }
}

extension Broad where Framework: TrackingFramework {
  @inlinable public init() {
    let head = Framework.signal(0)
    let calls = Counter()
    var computeds: [Framework.Computed] = []
    var subscriptions: [Framework.Subscription] = []
    for offset in 0..<Self.chains {
      let sum = Framework.computed { Framework.read(head) + offset }
      let last = Framework.computed { Framework.read(sum) + 1 }
      subscriptions.append(Framework.observe(last) { _ in calls.count += 1 })
      computeds += [sum, last]
    }
    self.init(HeadedGraph(head: head, computeds: computeds, calls: calls, subscriptions: subscriptions))
  }
}
