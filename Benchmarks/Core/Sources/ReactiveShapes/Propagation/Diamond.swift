// SPDX-License-Identifier: MIT

/// Kairo's "diamond": five computeds of one signal, their sum, and an observer.
public struct Diamond<Framework: ReactiveFramework<Int>>: HeadedShape {
  @inlinable public static var name: StaticString { "diamond" }
  @inlinable public static var writes: Int { 500 }
  @inlinable public static var calls: Int { writes }
  @inlinable public static func result(of value: Int) -> Int { (value + 1) * width }
  /// The number of ways from the signal to the sum.
  @inlinable public static var width: Int { 5 }

  public let graph: HeadedGraph<Framework>

  @inlinable public init(_ graph: HeadedGraph<Framework>) { self.graph = graph }
}

extension Diamond where Framework: TrackingFramework {
  @inlinable public init() {
    let head = Framework.signal(0)
    let calls = Counter()
    let sides = (0..<Self.width).map { _ in Framework.computed { Framework.read(head) + 1 } }
    let sum = Framework.computed {
      var sum = 0
      for side in sides { sum += Framework.read(side) }
      return sum
    }
    let subscription = Framework.observe(sum) { _ in calls.count += 1 }
    self.init(HeadedGraph(head: head, computeds: sides + [sum], calls: calls, subscriptions: [subscription]))
  }
}
