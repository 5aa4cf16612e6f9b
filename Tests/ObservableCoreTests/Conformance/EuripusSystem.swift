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
        send: { value in try translating { try node.send(value) } }, add: { node.addObserver(own($0.node)) },
        remove: { node.removeObserver(own($0.node)) }))
  }

  private func writing<Value>(of node: Observable<Value>) -> Source<Value>.Writing {
    Source.Writing(
      set: { value in try translating { try node.set(value) } },
      change: { body in try translating { try node.change(body) } })
  }

  private func access<Value>(to node: ObservableValue<Value>) -> Readable<Value>.Access {
    Readable.Access(
      value: { node.value }, get: { try translating { try node.get() } },
      add: { node.addObserver(own($0.node), replay: $1) }, remove: { node.removeObserver(own($0.node)) },
      watch: { node.watch($0, tag: $1) })
  }

  func listener<Value>(of type: Value.Type, _ handler: ((Value) throws -> Void)?) -> Listener<Value> {
    let node = handler.map { Observer($0) } ?? Observer<Value>()
    return Listener(
      node, install: { node.handle($0) }, call: { value in try translating { try node.invoke(value) } })
  }

  func scope() -> Scope {
    let graph = Graph()
    return Scope(
      graph,
      Scope.Access(
        enter: { try graph.enter($0) }, close: { graph.close() }, memberCount: { graph.memberCount },
        isClosed: { graph.isClosed }))
  }

  func transaction<Result>(_ policy: FailurePolicy, _ body: () throws -> Result) throws -> Result {
    try translating { try ObservableCore.transaction(policy, body) }
  }

  func untracked<Result>(_ body: () throws -> Result) rethrows -> Result { try ObservableCore.untracked(body) }
}

/// Weaves an input of any type into a combiner. Here the input's type is known.
private func weave<Input: ReadableNode, Value>(_ input: Input, into combiner: ObservableCombiner<Value>) {
  _ = combiner.combine(own(input.node, as: ObservableValue<Input.Value>.self))
}

/// Runs `body`. An error of the core itself becomes the error that the claims know.
func translating<Result>(_ body: () throws -> Result) throws -> Result {
  do { return try body() } catch { throw translated(error) }
}

private func translated(_ error: any Error) -> any Error {
  switch error as? ObservableError {
  case .unsettled(let nodes, _): SystemError.unsettled(nodes.map(nameAlone))
  case .cycle(let nodes): SystemError.cycle(nodes.map(nameAlone))
  case .writeInFormula: SystemError.writeInFormula
  case .several(let errors): SystemError.several(errors.map(translated))
  case .closed, .refused, .leavesItsActor, .noModel, nil: error
  }
}

/// The name in an origin, such as `up` in `up (File.swift:12)`.
private func nameAlone(_ origin: String) -> String {
  origin.firstIndex(of: " ").map { String(origin[..<$0]) } ?? origin
}
