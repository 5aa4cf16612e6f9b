// SPDX-License-Identifier: MIT
import JSONPatching
import ObservableCore

/// What can be done with an output, its type erased: a session keeps just the node, and these closures, one set for all
/// sessions, know what it is.
struct OutputFace: Sendable {
  enum Access: Sendable { case readOnly, writable, secret }

  let label: OutputLabel
  let access: Access
  let watch: @Sendable (Node, any Watcher, Int) -> Void
  /// Writes the value; not called for one that is absent.
  let write: @Sendable (Node, inout JSONWriter) -> Void
  /// Takes a client's value: what it gives writes it.
  let prepare: @Sendable (JSON) throws(SurfaceError) -> (Node) throws -> Void
  /// Whether the state has the member now; `nil` for one that it always has.
  let isPresent: (@Sendable (Node) -> Bool)?

  init<Value: JSONRepresentable>(readOnly name: String, of _: Value.Type) {
    self.init(name, of: Value.self, access: .readOnly) { _ throws(SurfaceError) in throw .readOnly(name) }
  }

  init<Value: JSONRepresentable>(twoWay name: String, of _: Value.Type) {
    self.init(name, of: Value.self, access: .writable) { json throws(SurfaceError) in
      let value: Value = try SurfaceError.reading(json)
      return { node in try Self.writable(node, Value.self).set(value) }
    }
  }

  private init<Value: JSONRepresentable>(
    _ name: String, of _: Value.Type, access: Access,
    prepare: @escaping @Sendable (JSON) throws(SurfaceError) -> (Node) throws -> Void
  ) {
    label = OutputLabel(name, canBeAbsent: false)
    self.access = access
    self.prepare = prepare
    watch = { node, watcher, tag in Self.typed(node, Value.self).watch(watcher, tag: tag) }
    write = { node, writer in Self.typed(node, Value.self).value.write(to: &writer) }
    isPresent = nil
  }

  init(secret name: String) {
    label = OutputLabel(name, canBeAbsent: true)
    access = .secret
    watch = { node, watcher, tag in Self.typed(node, String.self).watch(watcher, tag: tag) }
    write = { _, writer in writer.string("") }
    prepare = { json throws(SurfaceError) in
      let value: String = try SurfaceError.reading(json)
      return { node in try Self.writable(node, String.self).set(value) }
    }
    isPresent = { node in Self.typed(node, String.self).value.isEmpty }
  }

  /// `node` is what the output's own `node` closure gave, so its type is known.
  private static func typed<Value>(_ node: Node, _: Value.Type) -> ObservableValue<Value> {
    unsafeDowncast(node, to: ObservableValue<Value>.self)
  }

  /// The same, of an output whose property is an `Observable`.
  private static func writable<Value>(_ node: Node, _: Value.Type) -> Observable<Value> {
    unsafeDowncast(node, to: Observable<Value>.self)
  }
}
