// SPDX-License-Identifier: MIT
import Locking

/// A gate at which asynchronous code waits until a test lets it through. With it a service answers when the
/// test says so, without sleeps.
///
/// ```swift
/// let gate = Gate<String>()
/// let model = try ModelDriver { Search { _ in try await gate.pass() } }
/// try model.perform("search", "swift")
/// gate.open(with: "found")
/// await model.settled()
/// ```
///
/// The first caller to come is let through first. If a value comes while no caller waits, the next caller gets
/// it.
public final class Gate<Value: Sendable>: Sendable {
  private struct GateState {
    var waiting: [(id: UInt64, continuation: CheckedContinuation<Value, any Error>)] = []
    var results: [Result<Value, any Error>] = []
    var lastID: UInt64 = 0
    /// The callers that were cancelled before they could wait.
    var cancelled: Set<UInt64> = []
  }

  private let state = Locked(GateState())

  public init() {}

  /// Waits to be let through, on the caller's actor. So it does not need a thread, of which tests may block
  /// all.
  ///
  /// - Throws: the error with which it was let through, or `CancellationError` if the task was cancelled.
  public func pass(isolation: isolated (any Actor)? = #isolation) async throws -> Value {
    let id = state.withLock { state in
      state.lastID += 1
      return state.lastID
    }
    return try await withTaskCancellationHandler {
      // This keeps the closure on the actor.
      _ = isolation
      return try await withCheckedThrowingContinuation { continuation in
        let result = state.withLock { state -> Result<Value, any Error>? in
          if state.cancelled.remove(id) != nil { return .failure(CancellationError()) }
          if !state.results.isEmpty { return state.results.removeFirst() }
          state.waiting.append((id, continuation))
          return nil
        }
        if let result { continuation.resume(with: result) }
      }
    } onCancel: {
      let continuation = state.withLock { state -> CheckedContinuation<Value, any Error>? in
        guard let index = state.waiting.firstIndex(where: { $0.id == id }) else {
          state.cancelled.insert(id)
          return nil
        }
        return state.waiting.remove(at: index).continuation
      }
      continuation?.resume(throwing: CancellationError())
    }
  }

  /// Lets one caller through with a value.
  public func open(with value: Value) { letThrough(.success(value)) }

  /// Lets one caller through with an error.
  public func open(throwing error: any Error) { letThrough(.failure(error)) }

  private func letThrough(_ result: Result<Value, any Error>) {
    let continuation = state.withLock { state -> CheckedContinuation<Value, any Error>? in
      guard !state.waiting.isEmpty else {
        state.results.append(result)
        return nil
      }
      return state.waiting.removeFirst().continuation
    }
    continuation?.resume(with: result)
  }

  /// The number of callers that wait now.
  public var waiting: Int { state.withLock { $0.waiting.count } }
}

extension Gate where Value == Void {
  /// Lets one caller through.
  public func open() { open(with: ()) }
}
