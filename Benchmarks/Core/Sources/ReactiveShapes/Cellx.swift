// SPDX-License-Identifier: MIT

/// The graph of cellx's benchmark: layers of four computeds. Each reads one or two nodes of the layer before, and is
/// observed.
public struct CellxGraph<Framework: ReactiveFramework<Int>> {
  @usableFromInline let start: [Framework.Signal]
  @usableFromInline let end: [Framework.Computed]
  /// Parts that would go if nobody held them.
  @usableFromInline let kept: Any

  @inlinable public init(start: [Framework.Signal], end: [Framework.Computed], keeping kept: Any) {
    self.start = start
    self.end = end
    self.kept = kept
  }
}

extension CellxGraph where Framework: TrackingFramework {
  @inlinable public init(layers: Int) {
    let start = (1...4).map { Framework.signal($0) }
    var above = start.map { Framework.node($0) }
    var computeds: [Framework.Computed] = []
    var subscriptions: [Framework.Subscription] = []
    computeds.reserveCapacity(layers * 4)
    subscriptions.reserveCapacity(layers * 4)
    for _ in 0..<layers {
      let (first, second, third, fourth) = (above[0], above[1], above[2], above[3])
      let layer = [
        Framework.computed { Framework.read(second) },
        Framework.computed { Framework.read(first) - Framework.read(third) },
        Framework.computed { Framework.read(second) + Framework.read(fourth) },
        Framework.computed { Framework.read(third) },
      ]
      for computed in layer { subscriptions.append(Framework.observe(computed) { _ in }) }
      computeds += layer
      above = layer.map { Framework.node($0) }
    }
    self.init(start: start, end: Array(computeds.suffix(4)), keeping: (computeds, subscriptions))
  }
}

/// cellx's benchmark: the end of a new graph is read, all four signals are written in one batch, and the end is read
/// again. The making of the graph is not timed.
public struct Cellx<Framework: ReactiveFramework<Int>>: Shape {
  @usableFromInline let layers: Int
  @usableFromInline let make: (_ layers: Int) -> CellxGraph<Framework>

  @inlinable public init(layers: Int, _ make: @escaping (_ layers: Int) -> CellxGraph<Framework>) {
    self.layers = layers
    self.make = make
  }

  @inlinable public func run(_ iterations: Int) throws -> Duration {
    var total = Duration.zero
    for _ in 0..<iterations { total += try update(make(layers)) }
    return total
  }

  @inlinable public func warmUp() throws { _ = try run(1) }

  @inlinable func update(_ graph: CellxGraph<Framework>) throws -> Duration {
    var before: [Int] = []
    var after: [Int] = []
    let duration = try ProcessorTime.measure {
      before = graph.end.map { Framework.read($0) }
      try Framework.batch {
        for (signal, value) in zip(graph.start, [4, 3, 2, 1]) { try Framework.write(signal, value) }
      }
      after = graph.end.map { Framework.read($0) }
    }
    try check("cellx: the end before the writes", before, is: Self.published(layers).before)
    try check("cellx: the end after the writes", after, is: Self.published(layers).after)
    return duration
  }

  /// The values at the end. Those for 1000 and 2500 layers are published, and are the same, as the values repeat every
  /// 12 layers. For other numbers of layers they are computed plainly.
  @usableFromInline static func published(_ layers: Int) -> (before: [Int], after: [Int]) {
    if layers == 1000 || layers == 2500 { return ([-3, -6, -2, 2], [-2, -4, 2, 3]) }
    func end(_ start: [Int]) -> [Int] {
      (0..<layers).reduce(start) { above, _ in [above[1], above[0] - above[2], above[1] + above[3], above[2]] }
    }
    return (end([1, 2, 3, 4]), end([4, 3, 2, 1]))
  }
}
