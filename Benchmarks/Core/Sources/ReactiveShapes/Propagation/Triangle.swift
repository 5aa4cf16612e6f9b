// SPDX-License-Identifier: MIT

/// Kairo's "triangle": a chain of ten, the sum of all its links, and an observer.
public struct Triangle<Framework: ReactiveFramework<Int>>: HeadedShape {
  @inlinable public static var name: StaticString { "triangle" }
  @inlinable public static var writes: Int { 100 }
  @inlinable public static var calls: Int { writes }
  @inlinable public static func result(of value: Int) -> Int { value * width + width * (width - 1) / 2 }
  /// The number of links that the sum reads. The signal is the first of them.
  @inlinable public static var width: Int { 10 }

  public let graph: HeadedGraph<Framework>

  @inlinable public init(_ graph: HeadedGraph<Framework>) { self.graph = graph }
}

extension Triangle where Framework: TrackingFramework {
  @inlinable public init() {
    let head = Framework.signal(0)
    let calls = Counter()
    var links = [Framework.computed { Framework.read(head) + 1 }]
    for position in 1..<Self.width - 1 {
      let previous = links[position - 1]
      links.append(Framework.computed { Framework.read(previous) + 1 })
    }
    let sum = Framework.computed { [links] in
      var sum = Framework.read(head)
      for link in links { sum += Framework.read(link) }
      return sum
    }
    let subscription = Framework.observe(sum) { _ in calls.count += 1 }
    self.init(HeadedGraph(head: head, computeds: links + [sum], calls: calls, subscriptions: [subscription]))
  }
}
