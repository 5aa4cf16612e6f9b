// SPDX-License-Identifier: MIT
@_exported import Glibc

/// State that is reached only under its lock.
///
/// A pthread mutex rather than `Synchronization.Mutex`, on which the thread sanitizer reports races that are none.
/// Hold it for a decision, never while calling user code, replying or writing.
@usableFromInline
package final class Locked<State>: @unchecked Sendable {
  // Sendable because `state` is touched only between lock and unlock.
  @usableFromInline let mutex: UnsafeMutablePointer<pthread_mutex_t>
  @usableFromInline var state: State

  @inlinable
  package init(_ state: sending State) {
    mutex = .allocate(capacity: 1)
    mutex.initialize(to: pthread_mutex_t())
    pthread_mutex_init(mutex, nil)
    self.state = state
  }

  deinit {
    pthread_mutex_destroy(mutex)
    mutex.deallocate()
  }

  /// Runs `body` with the lock held.
  @inlinable
  package func withLock<Result, Failure: Error>(
    _ body: (inout State) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return try body(&state)
  }
}
