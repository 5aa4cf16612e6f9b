// SPDX-License-Identifier: MIT
import ObservableCore

/// A system on which a script is performed.
final class Stage {
  /// The visible results of one step.
  struct Outcome: Equatable {
    var errors: [String] = []
    /// The notices, each as its listener and its value.
    var told: [[Int]] = []
    /// The values that were read, with `errorMark` for an error.
    var reads: [Int] = []
    /// The values of sources and combiners. Computeds are left out, as a reading would evaluate them.
    var values: [Int] = []
    var combinerRuns: [Int] = []
    var evaluations: [Int] = []
    var memberCount = 0
  }

  static let errorMark = -1000
  private static let undone = "undone"

  private let system: any ReactiveSystem
  private let scope: any Scope
  private let script: Script
  private var nodes: [Readable<Int>?] = []
  private var runs: [Int]
  private var listeners: [Listener<Int>] = []
  private var writers: Set<Int> = []
  /// The listeners that listen to several nodes.
  private var listenersOfSeveral: Set<Int> = []
  private var subscriptions: [any Disposable] = []
  private var told: [[Int]] = []
  private var reads: [Int] = []

  init(_ script: Script, on system: any ReactiveSystem) throws {
    self.script = script
    self.system = system
    scope = system.scope()
    runs = Array(repeating: 0, count: script.blueprint.parts.count)
    try scope.enter { build() }
  }

  deinit { scope.close() }

  private func build() {
    for index in script.blueprint.parts.indices {
      switch script.blueprint.parts[index] {
      case .source(let value): nodes.append(system.source(value))
      case .computed(let formula, _): nodes.append(system.computed(run(formula, of: index)))
      case .combiner(let strategy, _, _): nodes.append(system.combiner(strategy, -1))
      }
    }
    for index in script.blueprint.parts.indices {
      guard case .combiner(_, let formula, _) = script.blueprint.parts[index] else { continue }
      guard let combiner = nodes[index] as? Combiner<Int> else { continue }
      for case let input? in script.blueprint.inputs(of: index).map({ nodes[$0] }) { combiner.weave(input) }
      combiner.handle(run(formula, of: index))
    }
  }

  /// The formula over its inputs. An input that closes a cycle is made later.
  private func run(_ formula: Formula, of index: Int) -> () throws -> Int {
    let inputs = script.blueprint.inputs(of: index).map { input -> () throws -> Int in
      if input < index, let node = nodes[input] { return { try node.get() } }
      return { [unowned self] in try nodes[input]?.get() ?? 0 }
    }
    return { [unowned self] in
      runs[index] += 1
      return try formula.value(inputs)
    }
  }

  func perform(_ step: Script.Step) -> Outcome {
    (told, reads) = ([], [])
    runs = runs.map { _ in 0 }
    var outcome = Outcome()
    do { try scope.enter { try act(step) } } catch { outcome.errors = Self.names(error).sorted() }
    if outcome.errors.contains(Self.undone) { outcome.errors = [Self.undone] }
    // Listeners were told before the batch was undone. The error that stopped the rest depends on an order that
    // is not defined.
    if case .batch(.undo, _, _) = step, !outcome.errors.isEmpty { outcome.errors = [Self.undone] }
    if outcome.errors != [Self.undone] {
      outcome.told = inDefinedOrder(told)
      for index in runs.indices {
        switch script.blueprint.parts[index] {
        case .source: break
        case .combiner: outcome.combinerRuns.append(runs[index])
        case .computed: outcome.evaluations.append(runs[index])
        }
      }
    }
    outcome.reads = reads
    for case let node as Source<Int> in nodes { outcome.values.append(node.value) }
    outcome.memberCount = scope.memberCount
    return outcome
  }

  private func act(_ step: Script.Step) throws {
    switch step {
    case .act(let action): try act(action)
    case .batch(let policy, let actions, let fails):
      try system.transaction(policy) {
        for action in actions { try act(action) }
        if fails { throw Failure("body") }
      }
    case .listen(let index, let conduct, let replay):
      let listener = listener(conduct)
      listeners.append(listener)
      // In a transaction, whose caller gets the error of a listener that is replayed to.
      try system.transaction {
        if let node = nodes[index] { subscriptions.append(node.add(listener, replay: replay)) }
      }
    case .listenAgain(let listener, let index):
      guard listeners.indices.contains(listener), !writers.contains(listener), let node = nodes[index] else { return }
      subscriptions.append(node.add(listeners[listener]))
      listenersOfSeveral.insert(listener)
    case .remove(let listener, let index):
      if listeners.indices.contains(listener) { nodes[index]?.remove(listeners[listener]) }
    case .dispose(let index): if subscriptions.indices.contains(index) { subscriptions[index].dispose() }
    case .drop(let index): nodes[index] = nil
    case .readAll: for index in nodes.indices { read(index) }
    }
  }

  private func act(_ action: Script.Action) throws {
    switch action {
    case .write(let index, let value): try source(index)?.set(value)
    case .change(let index, let addend): try change(index, addend)
    case .read(let index): read(index)
    case .batch(let actions, let fails):
      try? system.transaction {
        for action in actions { try act(action) }
        if fails { throw Failure("inner body") }
      }
    }
  }

  /// Gives a source another value of 0 to 7, whatever it was.
  private func change(_ index: Int, _ addend: Int) throws { try source(index)?.change { $0 = ($0 + addend) % 8 } }

  private func source(_ index: Int) -> Source<Int>? { nodes[index] as? Source<Int> }

  private func read(_ index: Int) {
    guard let node = nodes[index] else { return }
    reads.append((try? node.get()) ?? Self.errorMark)
  }

  /// The notices in a defined order. The order among listeners of different nodes is not defined; that of the
  /// values that one node tells one listener is.
  private func inDefinedOrder(_ told: [[Int]]) -> [[Int]] {
    told.enumerated().sorted { one, other in
      if one.element[0] != other.element[0] { return one.element[0] < other.element[0] }
      if listenersOfSeveral.contains(one.element[0]) { return one.element.lexicographicallyPrecedes(other.element) }
      return one.offset < other.offset
    }.map(\.element)
  }

  private func listener(_ conduct: Script.Conduct) -> Listener<Int> {
    let name = listeners.count
    switch conduct {
    case .write, .change: writers.insert(name)
    case .record, .look, .refuse: break
    }
    return system.listener { [unowned self] value in
      switch conduct {
      case .record: told.append([name, value])
      case .look(let index):
        let other = nodes[index].map { (try? $0.get()) ?? Self.errorMark } ?? 0
        told.append([name, value, other])
      case .refuse:
        told.append([name, value])
        if value % 5 == 3 { throw Failure("listener \(name) refused \(value)") }
      case .write(let index, let addend):
        told.append([name, value])
        try source(index)?.set((abs(value) + addend) % 8)
      case .change(let index, let addend):
        told.append([name, value])
        try change(index, addend)
      }
    }
  }

  private static func names(_ error: any Error) -> [String] {
    switch error {
    case ObservableError.several(let errors): errors.flatMap(names)
    case let failure as Failure: [failure.name]
    case ObservableError.unsettled: [undone]
    default: ["\(error)"]
    }
  }
}
