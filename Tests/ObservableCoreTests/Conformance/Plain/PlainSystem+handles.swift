// SPDX-License-Identifier: MIT
import ObservableCore

extension PlainSystem: ReactiveSystem {
  func source<Value>(
    _ value: Value, name: StaticString, isDuplicate: @escaping (Value, Value) -> Bool
  ) -> Source<Value> {
    let node = PlainObservable(self, value, name: "\(name)", isDuplicate: isDuplicate)
    return Source(node, access(to: node), writing(of: node))
  }

  func combiner<Value>(
    _ strategy: CombineStrategy, _ value: Value, name: StaticString, isDuplicate: @escaping (Value, Value) -> Bool
  ) -> Combiner<Value> {
    let node = PlainCombiner(self, strategy, value, name: "\(name)", isDuplicate: isDuplicate)
    return Combiner(
      node, access(to: node), writing(of: node),
      attach: { node.weave(own($0.node)) }, install: { node.install($0) })
  }

  private func writing<Value>(of node: PlainObservable<Value>) -> Source<Value>.Writing {
    Source.Writing(set: { try node.set($0) }, change: { try node.change($0) })
  }

  private func access<Value>(to node: PlainObservable<Value>) -> Readable<Value>.Access {
    Readable.Access(
      value: { node.get() }, get: { node.get() },
      add: { node.add(own($0.node), replay: $1) }, remove: { node.remove(own($0.node)) },
      watch: { node.watch($0, tag: $1) })
  }

  func computed<Value>(
    name: StaticString, isDuplicate: @escaping (Value, Value) -> Bool, _ formula: @escaping () throws -> Value
  ) -> Readable<Value> {
    let node = PlainComputed(self, name: "\(name)", isDuplicate: isDuplicate, formula)
    return Readable(
      node,
      Readable.Access(
        value: {
          do { return try node.get() } catch { preconditionFailure("the computed \(name) holds '\(error)'") }
        },
        get: { try node.get() },
        add: { node.add(own($0.node), replay: $1) }, remove: { node.remove(own($0.node)) },
        watch: { node.watch($0, tag: $1) }))
  }

  func event<Value>(of type: Value.Type, name: StaticString) -> Pulses<Value> {
    let node = PlainEvent<Value>(self, name: "\(name)")
    return Pulses(
      node,
      Pulses.Access(
        send: { try node.send($0) }, add: { node.subscribe(own($0.node)) },
        remove: { node.remove(own($0.node)) }))
  }

  func listener<Value>(of type: Value.Type, _ handler: ((Value) throws -> Void)?) -> Listener<Value> {
    let node = PlainListener<Value>(self, handler)
    return Listener(node, install: { node.handler = $0 }, call: { try node.invoke($0) })
  }

  func scope() -> any Scope { PlainScope(self) }

  func untracked<Result>(_ body: () throws -> Result) rethrows -> Result { try unread(body) }
}

/// A handle's object, as the type by which the system that made it knows it.
func own<Object: AnyObject>(_ object: AnyObject, as type: Object.Type = Object.self) -> Object {
  guard let own = object as? Object else {
    preconditionFailure(
      "expected a node of type \(type), got \(object): it was made by another system, or of another type")
  }
  return own
}
