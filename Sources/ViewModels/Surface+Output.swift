// SPDX-License-Identifier: MIT
import JSONPatching
import ObservableCore

extension Surface {
  typealias Condition = @Sendable (Model) -> Observable<Bool>

  enum Access: Sendable { case readOnly, writable, secret }

  /// A value of the surface, its type erased: a session keeps just the node, and these closures, one set for all
  /// sessions, know what it is.
  struct Output: Sendable {
    let name: String
    let access: Access
    let condition: Condition?
    let typeName: String
    let node: @Sendable (Model) -> Node
    let watch: @Sendable (Node, any Watcher, Int) -> Void
    /// Writes the value; not called for one that is absent.
    let write: @Sendable (Node, inout JSONWriter) -> Void
    let assign: @Sendable (Node, JSON) throws -> Void
    /// Whether the state has the member now.
    let isPresent: @Sendable (Node) -> Bool

    init<Value: JSONRepresentable, Source: Observable<Value>>(
      _ name: String, _ property: Property<Source>, access: Access, condition: Condition?
    ) {
      self.name = name
      self.access = access
      self.condition = condition
      typeName = Value.jsonTypeName
      node = { $0[keyPath: property] }
      watch = { node, watcher, tag in Self.typed(node, Value.self).watch(watcher, tag: tag) }
      write = { node, writer in Self.typed(node, Value.self).value.write(to: &writer) }
      assign = { node, json in try Self.typed(node, Value.self).set(Value(json: json)) }
      isPresent = { _ in true }
    }

    init<Source: Observable<String>>(secret name: String, _ property: Property<Source>) {
      self.name = name
      access = .secret
      condition = nil
      typeName = String.jsonTypeName
      node = { $0[keyPath: property] }
      watch = { node, watcher, tag in Self.typed(node, String.self).watch(watcher, tag: tag) }
      write = { _, writer in writer.string("") }
      assign = { node, json in try Self.typed(node, String.self).set(String(json: json)) }
      isPresent = { node in Self.typed(node, String.self).value.isEmpty }
    }

    /// `node` is what `self.node` gave for this output, so its type is known.
    private static func typed<Value>(_ node: Node, _: Value.Type) -> Observable<Value> {
      unsafeDowncast(node, to: Observable<Value>.self)
    }
  }
}
