// SPDX-License-Identifier: MIT
public import Glibc

/// State that is reached only under its lock, in one allocation.
///
/// A pthread mutex rather than `Synchronization.Mutex`, on which the thread sanitizer reports races that are none.
/// Hold it for a decision, never while calling user code, replying or writing.
// @unchecked Sendable: the state is touched only with the mutex held.
// Public, though no product has it: other modules get no body of a `package` function to inline (Swift 6.3.1).
public struct Locked<State>: @unchecked Sendable {
  @usableFromInline
  final class Storage: ManagedBuffer<State, pthread_mutex_t> {
    deinit {
      withUnsafeMutablePointerToElements { _ = pthread_mutex_destroy($0) }
    }
  }

  @usableFromInline let storage: ManagedBuffer<State, pthread_mutex_t>

  public init(_ initial: sending State) {
    storage = Storage.create(minimumCapacity: 1) { _ in initial }
    storage.withUnsafeMutablePointerToElements { _ = pthread_mutex_init($0, nil) }
  }

  /// Runs `body` with the lock held: decide there, act after it.
  @inlinable
  public func withLock<Result, Failure: Error>(
    _ body: (inout State) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try storage.withUnsafeMutablePointers { (state, mutex) throws(Failure) in
      pthread_mutex_lock(mutex)
      defer { pthread_mutex_unlock(mutex) }
      return try body(&state.pointee)
    }
  }
}
