// SPDX-License-Identifier: MIT

/// Holds an operation until the test lets it through.
final class Gate<Value: Sendable> {
  private var waiting: [AsyncStream<Value>.Continuation] = []
  private var ready: [Value] = []
  private var ignoring: [CheckedContinuation<Value, Never>] = []

  /// Waits for `open`; ends with `CancellationError` as soon as the task is cancelled.
  nonisolated(nonsending) func pass() async throws -> Value {
    if !ready.isEmpty { return ready.removeFirst() }
    let (values, continuation) = AsyncStream<Value>.makeStream()
    waiting.append(continuation)
    for await value in values { return value }
    throw CancellationError()
  }

  /// Waits for `openLate`, whether or not the task is cancelled.
  nonisolated(nonsending) func passIgnoringCancellation() async -> Value {
    await withCheckedContinuation { ignoring.append($0) }
  }

  /// Lets the one through that has waited longest and was not cancelled, or else the next to come.
  func open(_ value: Value) {
    while !waiting.isEmpty {
      if case .enqueued = waiting.removeFirst().yield(value) { return }
    }
    ready.append(value)
  }

  /// Lets the one through that has waited longest.
  func openLate(_ value: Value) { ignoring.removeFirst().resume(returning: value) }
}

/// What a test waits for: that something has happened so many times.
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
