// SPDX-License-Identifier: MIT
import ReactiveShapes

/// A framework without an idea in it. A computed that is read asks each input of its last run whether it has changed,
/// and runs its formula if one has. The shapes are right if they give their published results in it.
enum PlainFramework<Value: Equatable>: TrackingFramework {
  typealias Signal = PlainSignal<Value>
  typealias Computed = PlainComputed<Value>
  typealias Node = PlainNode<Value>
  typealias Subscription = PlainObserver

  static var tellsOnce: Bool { true }
  static var computesOnce: Bool { true }

  static func signal(_ value: Value) -> Signal { PlainSignal(value) }
  static func node(_ signal: Signal) -> Node { signal }
  static func node(_ computed: Computed) -> Node { computed }
  static func read(_ signal: Signal) -> Value { signal.read() }
  static func read(_ computed: Computed) -> Value { computed.read() }
  static func read(_ node: Node) -> Value { node.read() }
  static func computed(_ formula: @escaping () -> Value) -> Computed { PlainComputed(formula) }

  static func write(_ signal: Signal, _ value: Value) throws {
    try batch {
      if signal.current == value { return }
      signal.current = value
      signal.version += 1
    }
  }

  static func batch(_ body: () throws -> Void) throws {
    PlainWorld.depth += 1
    defer { PlainWorld.depth -= 1 }
    try body()
    PlainWorld.moment += 1
    if PlainWorld.depth == 1 { PlainWorld.tellObservers() }
  }

  static func observe(_ signal: Signal, _ handler: @escaping (Value) -> Void) -> Subscription {
    PlainObserver(of: signal) { handler(signal.read()) }
  }
  static func observe(_ computed: Computed, _ handler: @escaping (Value) -> Void) -> Subscription {
    PlainObserver(of: computed) { handler(computed.read()) }
  }
}

/// The common part of all nodes. The suite that uses it runs one test at a time.
enum PlainWorld {
  nonisolated(unsafe) static var depth = 0
  /// Grows with each write.
  nonisolated(unsafe) static var moment = 0
  /// The nodes that the running formula has read.
  nonisolated(unsafe) static var reading: [(node: PlainInput, version: Int)]?
  nonisolated(unsafe) static var observers: [Weak] = []

  struct Weak {
    weak var observer: PlainObserver?
  }

  static func tellObservers() {
    for entry in observers { entry.observer?.look() }
    observers.removeAll { $0.observer == nil }
  }
}

class PlainInput {
  /// Grows with each change.
  var version = 0

  func refresh() {}
}

class PlainNode<Value: Equatable>: PlainInput {
  var current: Value?

  final func read() -> Value {
    refresh()
    PlainWorld.reading?.append((self, version))
    guard let current else { preconditionFailure("a node that was refreshed has no value") }
    return current
  }
}

final class PlainSignal<Value: Equatable>: PlainNode<Value> {
  init(_ value: Value) {
    super.init()
    current = value
  }
}

final class PlainComputed<Value: Equatable>: PlainNode<Value> {
  private let formula: () -> Value
  private var inputs: [(node: PlainInput, version: Int)] = []
  private var checked = -1

  init(_ formula: @escaping () -> Value) { self.formula = formula }

  override func refresh() {
    if checked == PlainWorld.moment { return }
    checked = PlainWorld.moment
    if current != nil, !inputs.contains(where: hasChanged) { return }
    let outer = PlainWorld.reading
    PlainWorld.reading = []
    let value = formula()
    inputs = PlainWorld.reading ?? []
    PlainWorld.reading = outer
    if current == value { return }
    current = value
    version += 1
  }

  private func hasChanged(_ node: PlainInput, since version: Int) -> Bool {
    node.refresh()
    return node.version != version
  }
}

final class PlainObserver {
  private let input: PlainInput
  private let handler: () -> Void
  private var seen: Int

  init(of input: PlainInput, _ handler: @escaping () -> Void) {
    self.input = input
    self.handler = handler
    input.refresh()
    seen = input.version
    PlainWorld.observers.append(PlainWorld.Weak(observer: self))
  }

  func look() {
    input.refresh()
    if input.version == seen { return }
    seen = input.version
    handler()
  }
}
