// SPDX-License-Identifier: MIT
import JSONPatching
import ObservableCore

/// The way in which one value of a surface is written, whatever its type. All view models of the surface share it: a state
/// has of a value its node alone.
protocol ShownValue: AnyObject, Sendable {
  /// Whether it is one that nobody reads.
  var isSecret: Bool { get }
  /// Whether the state may have no such member at times.
  var mayBeAbsent: Bool { get }
  /// Whether the state has the value now: a secret is absent while it is set.
  func isPresent(_ node: Node) -> Bool
  /// Whether a value that is equal to the one before the transaction is written otherwise, as `1.0` and `1` are; to be
  /// asked when a watcher is told of it.
  func isRewritten(_ node: Node) -> Bool
  /// Writes the value; not called for one that is absent.
  func write(_ node: Node, to writer: inout JSONWriter)
}

extension ShownValue {
  var mayBeAbsent: Bool { isSecret }
}

/// A value of a known type. One that is an error, as a computed's may be, is written as `null`.
protocol ShownSource<Value>: ShownValue {
  associatedtype Value
  func write(_ value: Value, to writer: inout JSONWriter)
}

extension ShownSource {
  var isSecret: Bool { false }

  func isPresent(_ node: Node) -> Bool { true }

  func write(_ node: Node, to writer: inout JSONWriter) {
    let value: Value
    // Not `try?`, for whose optional the runtime is asked each time.
    do { value = try source(node).getOfAnyType() } catch { return writer.null() }
    write(value, to: &writer)
  }

  func isRewritten(_ node: Node) -> Bool {
    let source = source(node)
    // Errors are all written as `null`.
    guard let before = source.valueBefore, let now = try? source.get() else { return false }
    var one = JSONWriter(capacity: 64)
    var other = JSONWriter(capacity: 64)
    write(before, to: &one)
    write(now, to: &other)
    return one.bytes != other.bytes
  }

  private func source(_ node: Node) -> ObservableValue<Value> {
    guard let source = node as? ObservableValue<Value> else { stopProgram(bug: "a surface shows a value of another") }
    return source
  }
}

/// A value that is written as its type says.
final class ShownJSON<Value: JSONRepresentable>: ShownSource {
  func write(_ value: Value, to writer: inout JSONWriter) { value.write(to: &writer) }
}

/// A text that is absent while it is set, and `""` while it is empty.
final class ShownSecret: ShownValue {
  var isSecret: Bool { true }

  func isPresent(_ node: Node) -> Bool {
    guard let source = node as? Observable<String> else { stopProgram(bug: "a surface shows a value of another") }
    return source.value.isEmpty
  }

  func isRewritten(_ node: Node) -> Bool { false }

  func write(_ node: Node, to writer: inout JSONWriter) { writer.string("") }
}
