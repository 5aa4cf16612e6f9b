// SPDX-License-Identifier: MIT

/// Kairo's "avoidable": a chain whose second link always gives the same value, so that the costly rest need not run.
public struct Avoidable<Framework: ReactiveFramework<Int>>: HeadedShape {
  @inlinable public static var name: StaticString { "avoidable" }
  @inlinable public static var writes: Int { 1000 }
  @inlinable public static var calls: Int { 0 }
  @inlinable public static func result(of value: Int) -> Int { 6 }

  public let graph: HeadedGraph<Framework>

  @inlinable public init(_ graph: HeadedGraph<Framework>) { self.graph = graph }
}

extension Avoidable where Framework: TrackingFramework {
  @inlinable public init() {
    let head = Framework.signal(0)
    let copy = Framework.computed { Framework.read(head) }
    let constant = Framework.computed {
      _ = Framework.read(copy)
      return 0
    }
    let costly = Framework.computed {
      work()
      return Framework.read(constant) + 1
    }
    let fourth = Framework.computed { Framework.read(costly) + 2 }
    let fifth = Framework.computed { Framework.read(fourth) + 3 }
    let subscription = Framework.observe(fifth) { _ in work() }
    self.init(
      HeadedGraph(
        head: head, computeds: [copy, constant, costly, fourth, fifth], calls: Counter(),
        subscriptions: [subscription]))
  }
}
