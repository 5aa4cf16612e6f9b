// SPDX-License-Identifier: MIT
import ObservableCore

/// The observable core, as the claims see it.
final class EuripusSystem: ReactiveSystem {
  func source<Value>(
    _ value: Value, name: StaticString, isDuplicate: @escaping (Value, Value) -> Bool
  ) -> Source<Value> {
    let node = Observable(value, cutOff: CutOff(isDuplicate), name: name)
    return Source(node, access(to: node), writing(of: node))
  }

  func combiner<Value>(
    _ strategy: CombineStrategy, _ value: Value, name: StaticString, isDuplicate: @escaping (Value, Value) -> Bool
  ) -> Combiner<Value> {
    let node = ObservableCombiner(strategy, value, cutOff: CutOff(isDuplicate), name: name)
    return Combiner(
      node, access(to: node), writing(of: node),
      attach: { weave($0, into: node) }, install: { handler in node.combine().handle { try handler() } })
  }

  func computed<Value>(
    name: StaticString, isDuplicate: @escaping (Value, Value) -> Bool, _ formula: @escaping () throws -> Value
  ) -> Readable<Value> {
    let node = Computed(cutOff: CutOff(isDuplicate), name: name, formula)
    return Readable(node, access(to: node))
  }

  func event<Value>(of type: Value.Type, name: StaticString) -> Pulses<Value> {
    let node = Event<Value>(name: name)
    return Pulses(
      node,
      Pulses.Access(
        send: { try node.send($0) }, add: { node.addObserver(own($0.node)) },
        remove: { node.removeObserver(own($0.node)) }))
  }

  private func writing<Value>(of node: Observable<Value>) -> Source<Value>.Writing {
    Source.Writing(set: { try node.set($0) }, change: { try node.change($0) })
  }

  private func access<Value>(to node: ObservableValue<Value>) -> Readable<Value>.Access {
    Readable.Access(
      value: { node.value }, get: { try node.get() },
      add: { node.addObserver(own($0.node), replay: $1) }, remove: { node.removeObserver(own($0.node)) },
      watch: { node.watch($0, tag: $1) })
  }

  func listener<Value>(of type: Value.Type, _ handler: ((Value) throws -> Void)?) -> Listener<Value> {
    let node = handler.map { Observer($0) } ?? Observer<Value>()
    return Listener(node, install: { node.handle($0) }, call: { try node.invoke($0) })
  }

  func scope() -> any Scope { Graph() }

  func transaction<Result>(_ policy: FailurePolicy, _ body: () throws -> Result) throws -> Result {
    try ObservableCore.transaction(policy, body)
  }

  func untracked<Result>(_ body: () throws -> Result) rethrows -> Result { try ObservableCore.untracked(body) }
}

extension Graph: Scope {}

/// Weaves an input of any type into a combiner. Here the input's type is known.
private func weave<Input: ReadableNode, Value>(_ input: Input, into combiner: ObservableCombiner<Value>) {
  _ = combiner.combine(own(input.node, as: ObservableValue<Input.Value>.self))
}
