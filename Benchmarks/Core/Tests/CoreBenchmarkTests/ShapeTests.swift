// SPDX-License-Identifier: MIT
import EuripusCases
import ReactiveShapes
import Testing

typealias Plain = PlainFramework<Int>

/// Each shape checks its own results and throws where they are wrong.
@Suite(.serialized) struct `The shapes` {
  static let propagation: [Case] = [.broad, .deep, .diamond, .triangle, .mux, .avoidable, .repeated, .unstable]
  static let updates: [Case] = [.update1to1, .update1to1000, .update1000to1, .create]

  func shape(_ which: Case) throws -> AnyShape {
    let expression = Expression.tracking(which, Plain.self, PlainFramework<[Int]>.self, PlainFramework<Double>.self)
    guard case .possible(let make) = expression else {
      throw WrongResult("\(which)", expected: "a shape", came: "none")
    }
    return try make()
  }

  @Test(arguments: propagation) func `Kairo's shapes give their results in the plain framework`(_ which: Case) throws {
    let shape = try shape(which)
    try shape.warmUp()
    #expect(try shape.run(2) > .zero)
  }

  @Test(arguments: updates) func `updates and creation give their results in the plain framework`(
    _ which: Case
  ) throws {
    let shape = try shape(which)
    try shape.warmUp()
    #expect(try shape.run(200) > .zero)
  }

  @Test func `cellx with 1000 and 2500 layers ends in the published values`() throws {
    for layers in [1000, 2500] {
      var values = [[1, 2, 3, 4], [4, 3, 2, 1]]
      for _ in 0..<layers { values = values.map { [$0[1], $0[0] - $0[2], $0[1] + $0[3], $0[2]] } }
      #expect(values == [[-3, -6, -2, 2], [-2, -4, 2, 3]])
    }
    #expect(try shape(.cellx1000).run(1) > .zero)
  }

  static let graphs: [Case] = [
    .dynamic10x5, .dynamic10x10, .dynamic1000x12, .dynamic1000x5, .dynamic5x500, .dynamic100x15,
  ]

  @Test(arguments: graphs) func `the plans of the dynamic graphs give the published sums`(_ which: Case) throws {
    let configuration = try #require(GraphConfiguration(which))
    let width = configuration.width
    let last = (0..<width).map { Double(configuration.iterations - width + $0 + $0) }
    #expect(GraphPlan(configuration).sum(of: last) == configuration.sum)
  }

  /// In a static graph each round of writes costs the same, so a part of a run tells the count of the whole.
  @Test(arguments: [(Case.dynamic10x5, 10), (.dynamic1000x5, 30), (.dynamic5x500, 5)])
  func `static graphs compute as often as was published`(_ which: Case, _ writes: Int) throws {
    let configuration = try #require(GraphConfiguration(which))
    let graph = DynamicGraph<PlainFramework<Double>>(configuration)
    // The very first write writes a value that its signal has already.
    _ = try graph.run(writes)
    _ = try graph.run(writes)
    #expect(graph.runs.count * (configuration.iterations / writes) == configuration.count)
  }

  /// The whole published runs are checked by each run of the benchmark; without optimisation they take minutes.
  @Test(arguments: graphs) func `the observable core computes as often as the plain framework`(_ which: Case) throws {
    let configuration = try #require(GraphConfiguration(which))
    let plain = DynamicGraph<PlainFramework<Double>>(configuration)
    let core = DynamicGraph<EuripusFramework<Double>>(configuration)
    for writes in [1, 20, 20] {
      _ = try plain.run(writes)
      _ = try core.run(writes)
      #expect(core.runs.count == plain.runs.count)
    }
    #expect(core.runs.count > 100)
  }

  @Test func `a framework that gives a wrong value stops the run`() throws {
    let shape = Broad<ForgetfulFramework>()
    let error = #expect(throws: WrongResult.self) { try shape.run(1) }
    #expect(error?.description == "broad: expected 52, came 51")
  }

  @Test func `a framework that tells its observers twice stops the run`() throws {
    let signal = Plain.signal(0)
    let computed = Plain.computed { Plain.read(signal) + 1 }
    let calls = Counter()
    let twice = (0..<2).map { _ in Plain.observe(computed) { _ in calls.count += 1 } }
    let graph = HeadedGraph<Plain>(head: signal, computeds: [computed], calls: calls, subscriptions: twice)
    let error = #expect(throws: WrongResult.self) { try OneLink(graph).run(1) }
    #expect(error?.description == "one link: calls of observers: expected 3, came 6")
  }
}

/// The plain framework, but it forgets each write of 2.
enum ForgetfulFramework: TrackingFramework {
  typealias Signal = Plain.Signal
  typealias Computed = Plain.Computed
  typealias Node = Plain.Node
  typealias Subscription = Plain.Subscription

  static var tellsOnce: Bool { true }
  static var computesOnce: Bool { true }

  static func signal(_ value: Int) -> Signal { Plain.signal(value) }
  static func node(_ signal: Signal) -> Node { Plain.node(signal) }
  static func node(_ computed: Computed) -> Node { Plain.node(computed) }
  static func read(_ signal: Signal) -> Int { Plain.read(signal) }
  static func read(_ computed: Computed) -> Int { Plain.read(computed) }
  static func read(_ node: Node) -> Int { Plain.read(node) }
  static func computed(_ formula: @escaping () -> Int) -> Computed { Plain.computed(formula) }
  static func write(_ signal: Signal, _ value: Int) throws { if value != 2 { try Plain.write(signal, value) } }
  static func batch(_ body: () throws -> Void) throws { try Plain.batch(body) }
  static func observe(_ signal: Signal, _ handler: @escaping (Int) -> Void) -> Subscription {
    Plain.observe(signal, handler)
  }
  static func observe(_ computed: Computed, _ handler: @escaping (Int) -> Void) -> Subscription {
    Plain.observe(computed, handler)
  }
}

struct OneLink: HeadedShape {
  static var name: StaticString { "one link" }
  static var writes: Int { 3 }
  static var calls: Int { 3 }
  static func result(of value: Int) -> Int { value + 1 }

  let graph: HeadedGraph<Plain>

  init(_ graph: HeadedGraph<Plain>) { self.graph = graph }
}
