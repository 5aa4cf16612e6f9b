// SPDX-License-Identifier: MIT
import Foundation

/// Holds an operation until the test lets it through.
final class Gate<Value: Sendable> {
  private var waiting: [Passage<Value>] = []
  private var ready: [Value] = []
  private var ignoring: [CheckedContinuation<Value, Never>] = []

  /// Waits for `open`; ends with `CancellationError` as soon as the task is cancelled.
  ///
  /// It waits before the caller's actor does anything else. Hence `isolation`: a closure of a function without
  /// it would first go elsewhere.
  func pass(isolation: isolated (any Actor)? = #isolation) async throws -> Value {
    if !ready.isEmpty { return ready.removeFirst() }
    let passage = Passage<Value>()
    waiting.append(passage)
    let value = await withTaskCancellationHandler {
      await withCheckedContinuation { passage.arrive($0) }
    } onCancel: {
      _ = passage.end(nil)
    }
    guard let value else { throw CancellationError() }
    return value
  }

  /// Waits for `openLate`, whether or not the task is cancelled.
  nonisolated(nonsending) func passIgnoringCancellation() async -> Value {
    await withCheckedContinuation { ignoring.append($0) }
  }

  /// Lets through the operation that has waited longest and was not cancelled, or else the next one that comes.
  func open(_ value: Value) {
    while !waiting.isEmpty {
      if waiting.removeFirst().end(value) { return }
    }
    ready.append(value)
  }

  /// Lets through the operation that has waited longest.
  func openLate(_ value: Value) { ignoring.removeFirst().resume(returning: value) }
}

/// One wait at a gate. It ends once, by a value or by a cancellation, which comes on any thread.
private final class Passage<Value: Sendable>: @unchecked Sendable {
  // Used with the lock held. Once `isOver` is set, `value` is not written again.
  private let lock = NSLock()
  private var continuation: CheckedContinuation<Value?, Never>?
  private var isOver = false
  private var value: Value?

  func arrive(_ continuation: CheckedContinuation<Value?, Never>) {
    let isOver = lock.withLock {
      if !self.isOver { self.continuation = continuation }
      return self.isOver
    }
    if isOver { continuation.resume(returning: value) }
  }

  /// - Returns: whether this call has ended it.
  func end(_ value: Value?) -> Bool {
    let (isFirst, waiting) = lock.withLock {
      if isOver { return (false, CheckedContinuation<Value?, Never>?.none) }
      isOver = true
      self.value = value
      defer { continuation = nil }
      return (true, continuation)
    }
    waiting?.resume(returning: value)
    return isFirst
  }
}

/// A count that a test waits for.
final class Signal {
  private var count = 0
  private var awaited: (count: Int, continuation: CheckedContinuation<Void, Never>)?

  func fire() {
    count += 1
    if let awaited, count >= awaited.count {
      self.awaited = nil
      awaited.continuation.resume()
    }
  }

  nonisolated(nonsending) func wait(for count: Int = 1) async {
    if self.count >= count { return }
    await withCheckedContinuation { awaited = (count, $0) }
  }
}

/// A value of the one actor on which a test runs. A command's operation stays there, and may capture only
/// `Sendable` values.
// @unchecked Sendable: it is used on that actor alone.
final class Held<Value>: @unchecked Sendable {
  var value: Value

  init(_ value: Value) { self.value = value }
}
