// SPDX-License-Identifier: MIT

/// One of Kairo's shapes. It sets one signal to 1, then to 0, 1, 2, …, and reads one result after each write.
public protocol HeadedShape<Framework>: IteratedShape {
  associatedtype Framework: ReactiveFramework<Int>

  static var name: StaticString { get }
  /// The number of writes in an iteration, after the first one.
  static var writes: Int { get }
  /// The number of times that these writes tell observers.
  static var calls: Int { get }
  /// The result while the signal has `value`.
  static func result(of value: Int) -> Int

  var graph: HeadedGraph<Framework> { get }
  init(_ graph: HeadedGraph<Framework>)
}

extension HeadedShape {
  @inlinable public func iterate() throws {
    let graph = graph
    try Framework.batch { try Framework.write(graph.head, 1) }
    try check(Self.name, Framework.read(graph.result), is: Self.result(of: 1))
    graph.calls.count = 0
    for value in 0..<Self.writes {
      try Framework.batch { try Framework.write(graph.head, value) }
      try check(Self.name, Framework.read(graph.result), is: Self.result(of: value))
    }
    try checkCalls(Self.name, graph.calls.count, is: Self.calls, in: Framework.self)
  }
}
