// SPDX-License-Identifier: MIT

/// Kairo's "deep": a chain of 50 computeds with an observer at its end.
public struct Deep<Framework: ReactiveFramework<Int>>: HeadedShape {
  @inlinable public static var name: StaticString { "deep" }
  @inlinable public static var writes: Int { 50 }
  @inlinable public static var calls: Int { writes }
  @inlinable public static func result(of value: Int) -> Int { value + length }
  /// The number of computeds in the chain.
  @inlinable public static var length: Int { 50 }

  public let graph: HeadedGraph<Framework>

  @inlinable public init(_ graph: HeadedGraph<Framework>) { self.graph = graph }
}

extension Deep where Framework: TrackingFramework {
  @inlinable public init() {
    let head = Framework.signal(0)
    let calls = Counter()
    var computeds = [Framework.computed { Framework.read(head) + 1 }]
    for position in 1..<Self.length {
      let previous = computeds[position - 1]
      computeds.append(Framework.computed { Framework.read(previous) + 1 })
    }
    let subscription = Framework.observe(computeds[Self.length - 1]) { _ in calls.count += 1 }
    self.init(HeadedGraph(head: head, computeds: computeds, calls: calls, subscriptions: [subscription]))
  }
}
