// SPDX-License-Identifier: MIT
import ObservableCore

/// A reactive core as the claims of this folder see it: it makes nodes, and makes one change of many.
///
/// The handles that it gives out (`Readable`, `Source` and so on) keep their node alive, and nothing else does: a test
/// that drops a handle drops the node.
protocol ReactiveSystem: AnyObject {
  func source<Value>(_ value: Value, name: StaticString, isDuplicate: @escaping (Value, Value) -> Bool) -> Source<Value>
  func computed<Value>(
    name: StaticString, isDuplicate: @escaping (Value, Value) -> Bool, _ formula: @escaping () throws -> Value
  ) -> Readable<Value>
  func combiner<Value>(
    _ strategy: CombineStrategy, _ value: Value, name: StaticString, isDuplicate: @escaping (Value, Value) -> Bool
  ) -> Combiner<Value>
  func event<Value>(of type: Value.Type, name: StaticString) -> Pulses<Value>
  func listener<Value>(of type: Value.Type, _ handler: ((Value) throws -> Void)?) -> Listener<Value>
  func scope() -> any Scope

  func transaction<Result>(_ policy: FailurePolicy, _ body: () throws -> Result) throws -> Result
  func untracked<Result>(_ body: () throws -> Result) rethrows -> Result
}

/// A node that can be read and listened to.
class Readable<Value> {
  /// The node, as the system's own object.
  let node: AnyObject
  private let access: Access

  struct Access {
    let value: () -> Value
    let get: () throws -> Value
    let add: (Listener<Value>, _ replay: Bool) -> any Disposable
    let remove: (Listener<Value>) -> Void
    let watch: (any Watcher, _ tag: Int) -> Void
  }

  init(_ node: AnyObject, _ access: Access) {
    self.node = node
    self.access = access
  }

  var value: Value { access.value() }
  func get() throws -> Value { try access.get() }
  @discardableResult
  func add(_ listener: Listener<Value>, replay: Bool = false) -> any Disposable { access.add(listener, replay) }
  func remove(_ listener: Listener<Value>) { access.remove(listener) }
  func watch(_ watcher: any Watcher, tag: Int) { access.watch(watcher, tag) }
}

/// A node that can be written too.
class Source<Value>: Readable<Value> {
  private let writing: Writing

  struct Writing {
    let set: (Value) throws -> Void
    let change: ((inout Value) -> Void) throws -> Void
  }

  init(_ node: AnyObject, _ access: Access, _ writing: Writing) {
    self.writing = writing
    super.init(node, access)
  }

  func set(_ value: Value) throws { try writing.set(value) }
  /// Changes the value in place. The cut-off decides whether that is a change.
  func change(_ body: (inout Value) -> Void) throws { try writing.change(body) }
}

/// A source that its handler writes when one of its declared inputs has changed.
final class Combiner<Value>: Source<Value> {
  private let attach: (any ReadableNode) -> Void
  private let install: (@escaping () throws -> Value) -> Void

  init(
    _ node: AnyObject, _ access: Access, _ writing: Writing,
    attach: @escaping (any ReadableNode) -> Void, install: @escaping (@escaping () throws -> Value) -> Void
  ) {
    self.attach = attach
    self.install = install
    super.init(node, access, writing)
  }

  @discardableResult
  func weave(_ inputs: any ReadableNode...) -> Self {
    for input in inputs { attach(input) }
    return self
  }

  @discardableResult
  func handle(counting runs: Runs = Runs(), _ handler: @escaping () throws -> Value) -> Self {
    install(runs.counting(handler))
    return self
  }
}

/// A `Readable` of any type of value, as the inputs of one combiner may differ in it.
protocol ReadableNode: AnyObject {
  associatedtype Value
  var node: AnyObject { get }
}

extension Readable: ReadableNode {}

/// A handler that is told of changes.
final class Listener<Value> {
  let node: AnyObject
  private let install: (@escaping (Value) throws -> Void) -> Void
  private let call: (Value) throws -> Void

  init(
    _ node: AnyObject, install: @escaping (@escaping (Value) throws -> Void) -> Void,
    call: @escaping (Value) throws -> Void
  ) {
    self.node = node
    self.install = install
    self.call = call
  }

  func handle(_ handler: @escaping (Value) throws -> Void) { install(handler) }
  func invoke(_ value: Value) throws { try call(value) }
}

/// A source of pulses, which have no present value.
final class Pulses<Value> {
  let node: AnyObject
  private let access: Access

  struct Access {
    let send: (Value) throws -> Void
    let add: (Listener<Value>) -> any Disposable
    let remove: (Listener<Value>) -> Void
  }

  init(_ node: AnyObject, _ access: Access) {
    self.node = node
    self.access = access
  }

  func send(_ value: Value) throws { try access.send(value) }
  @discardableResult
  func add(_ listener: Listener<Value>) -> any Disposable { access.add(listener) }
  func remove(_ listener: Listener<Value>) { access.remove(listener) }
}

/// The owner of nodes that are made within it.
protocol Scope: AnyObject {
  func enter<Result>(_ body: () throws -> Result) throws -> Result
  func close()
  var memberCount: Int { get }
  var isClosed: Bool { get }
}
