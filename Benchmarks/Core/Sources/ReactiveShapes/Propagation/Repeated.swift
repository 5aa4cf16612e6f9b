// SPDX-License-Identifier: MIT

/// Kairo's "repeated": a computed that reads one signal 30 times.
public struct Repeated<Framework: ReactiveFramework<Int>>: HeadedShape {
  @inlinable public static var name: StaticString { "repeated" }
  @inlinable public static var writes: Int { 100 }
  @inlinable public static var calls: Int { writes }
  @inlinable public static func result(of value: Int) -> Int { value * reads }
  /// The number of times that the computed reads the signal.
  @inlinable public static var reads: Int { 30 }

  public let graph: HeadedGraph<Framework>

  @inlinable public init(_ graph: HeadedGraph<Framework>) { self.graph = graph }
}

extension Repeated where Framework: TrackingFramework {
  @inlinable public init() {
    let head = Framework.signal(0)
    let calls = Counter()
    let sum = Framework.computed {
      var sum = 0
      for _ in 0..<Self.reads { sum += Framework.read(head) }
      return sum
    }
    let subscription = Framework.observe(sum) { _ in calls.count += 1 }
    self.init(HeadedGraph(head: head, computeds: [sum], calls: calls, subscriptions: [subscription]))
  }
}
