// SPDX-License-Identifier: MIT

/// Kairo's "unstable": a computed that reads one of two others, by turns, 20 times.
public struct Unstable<Framework: ReactiveFramework<Int>>: HeadedShape {
  @inlinable public static var name: StaticString { "unstable" }
  @inlinable public static var writes: Int { 100 }
  @inlinable public static var calls: Int { writes }
  @inlinable public static func result(of value: Int) -> Int { (value.isMultiple(of: 2) ? -value : value * 2) * reads }
  /// The number of times that the computed reads the source that it chose.
  @inlinable public static var reads: Int { 20 }

  public let graph: HeadedGraph<Framework>

  @inlinable public init(_ graph: HeadedGraph<Framework>) { self.graph = graph }
}

extension Unstable where Framework: TrackingFramework {
  @inlinable public init() {
    let head = Framework.signal(0)
    let calls = Counter()
    let double = Framework.computed { Framework.read(head) * 2 }
    let inverse = Framework.computed { -Framework.read(head) }
    let sum = Framework.computed {
      var sum = 0
      for _ in 0..<Self.reads {
        sum += Framework.read(head).isMultiple(of: 2) ? Framework.read(inverse) : Framework.read(double)
      }
      return sum
    }
    let subscription = Framework.observe(sum) { _ in calls.count += 1 }
    self.init(HeadedGraph(head: head, computeds: [double, inverse, sum], calls: calls, subscriptions: [subscription]))
  }
}
