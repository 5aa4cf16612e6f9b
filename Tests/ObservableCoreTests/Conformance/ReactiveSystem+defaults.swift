// SPDX-License-Identifier: MIT
import ObservableCore

// The short forms in which the claims are written: equality cuts off, and a transaction finishes.
extension ReactiveSystem {
  func source<Value: Equatable>(_ value: Value, name: StaticString = "") -> Source<Value> {
    source(value, name: name, isDuplicate: ==)
  }

  func source<Value>(_ value: Value, isDuplicate: @escaping (Value, Value) -> Bool) -> Source<Value> {
    source(value, name: "", isDuplicate: isDuplicate)
  }

  func computed<Value: Equatable>(
    name: StaticString = "", counting runs: Runs = Runs(), _ formula: @escaping () throws -> Value
  ) -> Readable<Value> {
    computed(name: name, isDuplicate: ==, runs.counting(formula))
  }

  func computed<Value>(
    isDuplicate: @escaping (Value, Value) -> Bool, _ formula: @escaping () throws -> Value
  ) -> Readable<Value> {
    computed(name: "", isDuplicate: isDuplicate, formula)
  }

  func combiner<Value: Equatable>(
    _ strategy: CombineStrategy, _ value: Value, name: StaticString = ""
  ) -> Combiner<Value> {
    combiner(strategy, value, name: name, isDuplicate: ==)
  }

  func combiner<Value>(
    _ strategy: CombineStrategy, _ value: Value, isDuplicate: @escaping (Value, Value) -> Bool
  ) -> Combiner<Value> {
    combiner(strategy, value, name: "", isDuplicate: isDuplicate)
  }

  func event<Value>(of type: Value.Type) -> Pulses<Value> { event(of: type, name: "") }

  func listener<Value>(_ handler: @escaping (Value) throws -> Void) -> Listener<Value> {
    listener(of: Value.self, handler)
  }

  func transaction<Result>(_ body: () throws -> Result) throws -> Result { try transaction(.finish, body) }

  /// A source, and a computed with twice its value.
  func doubled(_ value: Int) -> (Source<Int>, Readable<Int>) {
    let made = source(value)
    return (made, computed { made.value * 2 })
  }

  /// A combiner that runs on every change of one of `inputs`.
  func every<Value: Equatable>(
    _ value: Value, of inputs: any ReadableNode..., counting runs: Runs = Runs(),
    handler: @escaping () throws -> Value
  ) -> Combiner<Value> {
    let made = combiner(.every, value)
    for input in inputs { made.weave(input) }
    return made.handle(counting: runs, handler)
  }

  /// A computed of `inputs`, or a combiner of them that has `value` until one has changed.
  func derived<Value: Equatable>(
    _ kind: Derived, _ value: Value, of inputs: any ReadableNode..., formula: @escaping () throws -> Value
  ) -> Readable<Value> {
    if kind == .computed { return computed(formula) }
    let made = combiner(.every, value)
    for input in inputs { made.weave(input) }
    return made.handle(formula)
  }
}

/// The kinds of node that are made of others. Claims that hold for both are made for each.
enum Derived: CaseIterable {
  case computed, combiner

  static let pairs = allCases.flatMap { first in allCases.map { (first, $0) } }
  static let triples = pairs.flatMap { pair in allCases.map { (pair.0, pair.1, $0) } }
}

/// The number of times that a formula or a handler ran.
final class Runs {
  var count = 0

  func counting<Value>(_ formula: @escaping () throws -> Value) -> () throws -> Value {
    { [self] in
      count += 1
      return try formula()
    }
  }
}

/// Remembers the values that it was told, in order.
final class Told<Value> {
  var values: [Value] = []
}

extension Readable {
  /// Makes `log` remember the values that the listeners of this are told.
  @discardableResult
  func add(_ log: Told<Value>, in system: any ReactiveSystem) -> any Disposable {
    add(system.listener { [log] in log.values.append($0) })
  }

  /// The values that the listeners of this are told from now on.
  func told(in system: any ReactiveSystem) -> Told<Value> {
    let log = Told<Value>()
    add(log, in: system)
    return log
  }
}

extension Pulses {
  /// The pulses of which the listeners of this are told from now on.
  func told(in system: any ReactiveSystem) -> Told<Value> {
    let log = Told<Value>()
    add(system.listener { [log] in log.values.append($0) })
    return log
  }
}

/// The error that claims throw.
struct Failure: Error, Equatable {
  let name: String
  init(_ name: String) { self.name = name }
}
