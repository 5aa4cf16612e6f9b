// SPDX-License-Identifier: MIT
import JSONPatching
import ObservableCore

/// What can be done with a value of the state, its type erased: a session keeps just the node, and these closures, one set
/// for all sessions, know what it is.
///
/// A class, so that who takes one out of a list counts one reference and not four.
final class OutputFace: Sendable {
  let watch: @Sendable (Node, any Watcher, Int) -> Subscription
  /// Writes the value; not called for one that is absent.
  let write: @Sendable (Node, inout JSONWriter) -> Void
  /// Whether a value that is equal to the one before the transaction is written otherwise, as `1.0` and `1` are; to be
  /// asked by who watches it, when told of it.
  let isRewritten: @Sendable (Node) -> Bool
  /// Whether the state has the member now; `nil` for one that it always has.
  let isPresent: (@Sendable (Node) -> Bool)?

  /// A value that is written as its type says; one that is an error, as a computed's may be, is written as `null`.
  convenience init<Value: JSONRepresentable>(_: Value.Type) {
    self.init(Value.self) { value, writer in value.write(to: &writer) }
  }

  init<Value>(_: Value.Type, write: @escaping @Sendable (Value, inout JSONWriter) -> Void) {
    watch = { node, watcher, tag in Self.typed(node, Value.self).watch(watcher, tag: tag) }
    self.write = { node, writer in
      let value: Value
      // Not `try?`, for whose optional the runtime is asked each time.
      do { value = try Self.value(of: node) } catch { return writer.null() }
      write(value, &writer)
    }
    isRewritten = { node in
      let node = Self.typed(node, Value.self)
      // Errors are all written as `null`.
      guard let before = node.valueBefore, let now = try? node.get() else { return false }
      var one = JSONWriter(capacity: 64)
      var other = JSONWriter(capacity: 64)
      write(before, &one)
      write(now, &other)
      return one.bytes != other.bytes
    }
    isPresent = nil
  }

  private init() {
    watch = { node, watcher, tag in Self.typed(node, String.self).watch(watcher, tag: tag) }
    write = { _, writer in writer.string("") }
    // No text is equal to the empty one but that.
    isRewritten = { _ in false }
    isPresent = { node in Self.typed(node, String.self).value.isEmpty }
  }

  /// A text that is absent while it is set, and `""` while it is empty.
  static let secret = OutputFace()

  /// Without counting a reference to the node, which who calls has.
  private static func value<Value>(of node: Node) throws -> Value {
    try Unmanaged<ObservableValue<Value>>.fromOpaque(Unmanaged.passUnretained(node).toOpaque())
      ._withUnsafeGuaranteedRef { try $0.getOfAnyType() }
  }

  /// `node` is what the output's own closure gave, so its type is known.
  private static func typed<Value>(_ node: Node, _: Value.Type) -> ObservableValue<Value> {
    unsafeDowncast(node, to: ObservableValue<Value>.self)
  }
}
