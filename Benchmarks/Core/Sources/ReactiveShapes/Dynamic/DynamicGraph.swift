// SPDX-License-Identifier: MIT

/// A rectangular graph. A run writes one signal after another, and reads some or all leaves after each write.
public final class DynamicGraph<Framework: ReactiveFramework<Double>>: Shape {
  public let plan: GraphPlan
  /// The number of formulas that have run since a run began.
  public let runs: Counter
  @usableFromInline let signals: [Framework.Signal]
  @usableFromInline let leaves: [Framework.Computed]
  /// Parts that would go if nobody held them.
  @usableFromInline let kept: Any

  @inlinable public init(
    _ plan: GraphPlan, runs: Counter, signals: [Framework.Signal], lastLayer: [Framework.Computed], keeping kept: Any
  ) {
    self.plan = plan
    self.runs = runs
    self.signals = signals
    leaves = plan.leaves.map { lastLayer[$0] }
    self.kept = kept
  }

  @inlinable public func run(_ iterations: Int) throws -> Duration {
    runs.count = 0
    var sum = 0.0
    let first = begin(iterations)
    let duration = try ProcessorTime.measure {
      for iteration in first..<first + iterations {
        let place = iteration % signals.count
        try Framework.batch { try Framework.write(signals[place], Double(iteration + place)) }
        for leaf in leaves { _ = Framework.read(leaf) }
      }
      for leaf in leaves { sum += Framework.read(leaf) }
    }
    try verify(sum, after: first..<first + iterations)
    return duration
  }

  /// Makes a whole run where the published count is checked, as that count begins with the state that a run leaves.
  @inlinable public func warmUp() throws {
    _ = try run(Framework.computesOnce ? plan.configuration.iterations : 1)
  }

  /// The iteration to begin with. A part of a run goes on where the last one ended: otherwise a short part would write
  /// values that the signals have already.
  @usableFromInline func begin(_ iterations: Int) -> Int {
    if next + iterations > plan.configuration.iterations { next = 0 }
    return next
  }

  @usableFromInline func verify(_ sum: Double, after iterations: Range<Int>) throws {
    let configuration = plan.configuration
    for iteration in iterations.suffix(configuration.width) {
      let place = iteration % configuration.width
      values[place] = Double(iteration + place)
    }
    next = iterations.upperBound
    try check("dynamic: the sum, against a plain computation", sum, is: plan.sum(of: values))
    guard iterations.count == configuration.iterations else { return }
    try check("dynamic: the published sum", sum, is: configuration.sum)
    if Framework.computesOnce, isWarm { try check("dynamic: the published count", runs.count, is: configuration.count) }
    isWarm = true
  }

  /// The last values that were written to the signals.
  private lazy var values = (0..<plan.configuration.width).map { Double($0) }
  /// The iteration after the last one.
  private var next = 0
  /// Whether a whole run came before.
  private var isWarm = false
}

extension DynamicGraph where Framework: TrackingFramework {
  @inlinable public convenience init(_ configuration: GraphConfiguration) {
    let plan = GraphPlan(configuration)
    let runs = Counter()
    let signals = (0..<configuration.width).map { Framework.signal(Double($0)) }
    var layers: [[Framework.Computed]] = []
    var above = signals.map { Framework.node($0) }
    for row in plan.isStatic {
      let layer = row.indices.map { place in
        let sources = plan.sources(of: place).map { above[$0] }
        return row[place] ? Self.summing(sources, runs) : Self.choosing(sources, runs)
      }
      layers.append(layer)
      above = layer.map { Framework.node($0) }
    }
    let lastLayer = layers[layers.count - 1]
    let leaves = plan.leaves.map { lastLayer[$0] }
    let effect = Framework.computed {
      var sum = 0.0
      for leaf in leaves { sum += Framework.read(leaf) }
      return sum
    }
    let subscription = Framework.observe(effect) { _ in }
    self.init(plan, runs: runs, signals: signals, lastLayer: lastLayer, keeping: (layers, effect, subscription))
  }

  @inlinable static func summing(_ sources: [Framework.Node], _ runs: Counter) -> Framework.Computed {
    Framework.computed {
      runs.count += 1
      var sum = 0.0
      for source in sources { sum += Framework.read(source) }
      return sum
    }
  }

  @inlinable static func choosing(_ sources: [Framework.Node], _ runs: Counter) -> Framework.Computed {
    let first = sources[0]
    let rest = Array(sources.dropFirst())
    return Framework.computed {
      runs.count += 1
      var sum = Framework.read(first)
      if let omitted = GraphPlan.omitted(by: sum, of: rest.count) {
        for position in rest.indices where position != omitted { sum += Framework.read(rest[position]) }
      } else {
        for source in rest { sum += Framework.read(source) }
      }
      return sum
    }
  }
}
