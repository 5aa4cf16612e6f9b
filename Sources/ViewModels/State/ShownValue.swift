// SPDX-License-Identifier: MIT
import JSONPatching
import ObservableCore

/// The writing of one value of a surface, of any type. All view models of the surface share it; a state keeps
/// the value's node alone.
protocol ShownValue: AnyObject, Sendable {
  /// Whether it is a secret, which no client reads.
  var isSecret: Bool { get }
  /// Whether the state may lack the value at times.
  var mayBeAbsent: Bool { get }
  /// Whether the state has the value now: a secret is absent while it is set.
  func isPresent(_ node: Node) -> Bool
  /// Whether a value has another text than the equal one before the transaction, as `1` and `1.0` have. Ask it
  /// when a watcher is told of the value.
  func isRewritten(_ node: Node) -> Bool
  /// Writes the value. It is not called for an absent value.
  func write(_ node: Node, to writer: inout JSONWriter)
  /// The users to whom it is shown in a room; `nil` for everybody.
  var roomAudience: Audience? { get }
  /// The JSON that the other readers in a room are shown; `nil` if their state has no such member.
  var jsonForOthers: [UInt8]? { get }
}

extension ShownValue {
  var mayBeAbsent: Bool { isSecret }
  var roomAudience: Audience? { nil }
  var jsonForOthers: [UInt8]? { nil }
}

/// A value of a known type. If it is an error, as a computed's may be, it is written as `null`.
protocol ShownSource<Value>: ShownValue {
  associatedtype Value
  func write(_ value: Value, to writer: inout JSONWriter)
}

extension ShownSource {
  var isSecret: Bool { false }

  func isPresent(_ node: Node) -> Bool { true }

  func write(_ node: Node, to writer: inout JSONWriter) {
    let value: Value
    // Not `try?`: its optional makes the runtime look up a type each time.
    do { value = try source(node).getOfAnyType() } catch { return writer.null() }
    write(value, to: &writer)
  }

  func isRewritten(_ node: Node) -> Bool {
    let source = source(node)
    // All errors are written as `null`.
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

/// A value that its type writes.
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
