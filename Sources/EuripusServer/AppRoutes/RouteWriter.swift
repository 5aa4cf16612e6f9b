// SPDX-License-Identifier: MIT
import HTTPListening
import Locking
import ObservableCore

/// The body of a response, which is written while it is sent (``RouteResponse/stream(type:status:_:)``).
public final class RouteWriter: Sendable {
  private struct State {
    /// Whether the client has room for the next piece.
    var isReady = false
    var isOver = false
    var waiting: CheckedContinuation<Bool, Never>?
  }

  private let state: Locked<State>
  let stream: HTTPStream

  /// - Parameter left: called when the client has left.
  init(whenLeft left: @escaping @Sendable () -> Void) {
    let state = Locked(State())
    self.state = state
    stream = HTTPStream(filler: nil, isOpenEnded: false, life: nil) { _ in
      Self.change(state) { $0.isReady = true }
    } ended: { _, ending in
      // A server that stops lets it go on until its time is over.
      guard case .clientLeft = ending else { return }
      Self.change(state) { $0.isOver = true }
      left()
    }
  }

  /// Whether nothing more can be sent: the client has left, or the task was cancelled.
  var isOver: Bool { state.withLock(\.isOver) }

  /// Sends more of the body. It waits until the client has taken what came before.
  ///
  /// - Throws: `CancellationError` if the client has left.
  public func write(_ bytes: some Sequence<UInt8>) async throws {
    let piece = Array(bytes)
    if piece.isEmpty { return }
    let isReady = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isNow = state.withLock { state -> Bool? in
          if state.isOver { return false }
          guard state.isReady else {
            if state.waiting != nil {
              stopProgram(
                "a response's body was written by two tasks at once", expected: "one piece after the other",
                remedy: "await each 'write' before the next one")
            }
            state.waiting = continuation
            return nil
          }
          state.isReady = false
          return true
        }
        if let isNow { continuation.resume(returning: isNow) }
      }
    } onCancel: {
      Self.change(state) { $0.isOver = true }
    }
    if isReady, stream.send(piece) { return }
    Self.change(state) { $0.isOver = true }
    throw CancellationError()
  }

  /// Sends a text in UTF-8. As ``write(_:)-(Sequence<UInt8>)``.
  public func write(_ text: String) async throws { try await write(text.utf8) }

  /// Ends what waits, with whether it may write.
  private static func change(_ state: Locked<State>, _ body: (inout State) -> Void) {
    let (waiting, isReady) = state.withLock { state -> (CheckedContinuation<Bool, Never>?, Bool) in
      body(&state)
      guard let waiting = state.waiting else { return (nil, false) }
      state.waiting = nil
      let isReady = !state.isOver
      state.isReady = false
      return (waiting, isReady)
    }
    waiting?.resume(returning: isReady)
  }
}
