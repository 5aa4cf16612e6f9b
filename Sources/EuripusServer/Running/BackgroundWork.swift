// SPDX-License-Identifier: MIT
import Dispatch
import Locking
import Logging
import Sessions
import Storing

/// The work that a server does beside its sessions.
///
/// Work that throws begins anew, after a pause that grows. Work that one server of several does is there while that one has
/// its lock.
final class BackgroundWork: Sendable {
  private struct State {
    var tasks: [Task<Void, Never>] = []
    var hasStopped = false
  }

  private let logger: Logger
  private let state = Locked(State())

  /// The pauses before work that has failed begins anew: the first, and the longest.
  private static let pauses: (first: Duration, longest: Duration) = (.seconds(1), .seconds(60))
  /// The times after which a server asks whether it still has its lock, and again for one that another server has.
  private static let (look, wait): (Duration, Duration) = (.seconds(1), .seconds(3))

  init(_ logger: Logger) { self.logger = logger }

  /// - Parameter lock: takes the lock without which it is not done; `nil` for none.
  func begin(
    _ name: String, lock: (@Sendable () async throws -> (any StoreLock)?)?,
    _ body: @escaping @Sendable () async throws -> Void
  ) {
    let task = Task.detached { [self] in
      var pause = Self.pauses.first
      while !Task.isCancelled {
        let began = ContinuousClock.now
        do {
          if try await done(lock, body) { return }
        } catch {
          if Task.isCancelled { return }
          // Work that has gone well for longer begins anew soon.
          if .now - began > Self.pauses.longest { pause = Self.pauses.first }
          logger.error(
            "work in the background has failed, and begins anew",
            metadata: ["work": "\(name)", "error": "\(error)", "seconds": "\(pause.components.seconds)"])
          // Whatever has failed gets time to recover.
          try? await Task.sleep(for: pause)
          pause = min(pause * 2, Self.pauses.longest)
        }
      }
    }
    let isLate = state.withLock { state in
      state.tasks.append(task)
      return state.hasStopped
    }
    if isLate { task.cancel() }
  }

  /// - Returns: whether the work is over; if not, it is to be tried again.
  private func done(
    _ lock: (@Sendable () async throws -> (any StoreLock)?)?, _ body: @escaping @Sendable () async throws -> Void
  ) async throws -> Bool {
    guard let lock else {
      try await body()
      return true
    }
    guard let held = try await lock() else {
      // PostgreSQL tells nobody that an advisory lock is free.
      try await Task.sleep(for: Self.wait)
      return false
    }
    let isDone = try await withThrowingTaskGroup(of: Bool.self) { group in
      group.addTask {
        try await body()
        return true
      }
      group.addTask {
        // Nor does it tell that a lock was lost with its connection.
        while await Self.ask(held) { try await Task.sleep(for: Self.look) }
        return false
      }
      defer { group.cancelAll() }
      return try await group.next() ?? true
    }
    // No other server does it once more while this one runs.
    while isDone, await Self.ask(held) { try await Task.sleep(for: Self.look) }
    return isDone
  }

  private static func ask(_ lock: any StoreLock) async -> Bool { await off { lock.isHeld() } }

  /// Asks something for which a thread has to wait, away from the threads of Swift's tasks.
  static func off<Answer: Sendable>(_ body: @escaping @Sendable () -> Answer) async -> Answer {
    await withCheckedContinuation { answer in
      DispatchQueue(label: "euripus.lock").async { answer.resume(returning: body()) }
    }
  }

  /// Cancels all work, and waits for its end.
  ///
  /// - Returns: whether all has ended in time.
  func stop(within grace: Duration) -> Bool {
    let tasks = state.withLock { state in
      state.hasStopped = true
      return state.tasks
    }
    if tasks.isEmpty { return true }
    for task in tasks { task.cancel() }
    let isOver = DispatchSemaphore(value: 0)
    Task.detached {
      for task in tasks { await task.value }
      isOver.signal()
    }
    return isOver.wait(timeout: .now() + grace / .seconds(1)) == .success
  }
}
