// SPDX-License-Identifier: MIT
import JSONPatching
import ObservableCore

/// A value that a state shows, whatever its type: the observable behind it, and how that is written.
class ShownValue {
  /// Whether it is one that nobody reads.
  var isSecret: Bool { false }
  /// Whether the state has it now: a secret is absent while it is set.
  var isPresent: Bool { true }
  /// Whether a value that is equal to the one before the transaction is written otherwise, as `1.0` and `1` are; to be
  /// asked when a watcher is told of it.
  var isRewritten: Bool { false }

  func watch(_ watcher: any Watcher, tag: Int) -> Subscription { fatalError("\(Self.self) cannot be watched") }

  /// Writes the value; not called for one that is absent.
  func write(to writer: inout JSONWriter) { fatalError("\(Self.self) does not say how it is written") }
}

/// A value of a known type. One that is an error, as a computed's may be, is written as `null`.
class ShownSource<Value>: ShownValue {
  private let source: ObservableValue<Value>

  init(_ source: ObservableValue<Value>) { self.source = source }

  func write(_ value: Value, to writer: inout JSONWriter) { fatalError("\(Self.self) does not say how it is written") }

  override final func watch(_ watcher: any Watcher, tag: Int) -> Subscription { source.watch(watcher, tag: tag) }

  override final func write(to writer: inout JSONWriter) {
    let value: Value
    // Not `try?`, for whose optional the runtime is asked each time.
    do { value = try source.getOfAnyType() } catch { return writer.null() }
    write(value, to: &writer)
  }

  override final var isRewritten: Bool {
    // Errors are all written as `null`.
    guard let before = source.valueBefore, let now = try? source.get() else { return false }
    var one = JSONWriter(capacity: 64)
    var other = JSONWriter(capacity: 64)
    write(before, to: &one)
    write(now, to: &other)
    return one.bytes != other.bytes
  }
}

/// A value that is written as its type says.
final class ShownJSON<Value: JSONRepresentable>: ShownSource<Value> {
  override func write(_ value: Value, to writer: inout JSONWriter) { value.write(to: &writer) }
}

/// A text that is absent while it is set, and `""` while it is empty.
final class ShownSecret: ShownValue {
  private let source: Observable<String>

  init(_ source: Observable<String>) { self.source = source }

  override var isSecret: Bool { true }
  override var isPresent: Bool { source.value.isEmpty }
  override func watch(_ watcher: any Watcher, tag: Int) -> Subscription { source.watch(watcher, tag: tag) }
  override func write(to writer: inout JSONWriter) { writer.string("") }
}
