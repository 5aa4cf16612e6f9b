// SPDX-License-Identifier: MIT
import CMicroHTTPDShim
import Glibc

/// A value behind a pthread mutex, in one allocation.
///
/// Not `Synchronization.Mutex`: ThreadSanitizer reports false races on it.
// @unchecked Sendable: the value is touched only with the mutex held.
struct Locked<State>: @unchecked Sendable {
  private final class Storage: ManagedBuffer<State, pthread_mutex_t> {
    deinit {
      withUnsafeMutablePointerToElements { _ = pthread_mutex_destroy($0) }
    }
  }

  private let storage: ManagedBuffer<State, pthread_mutex_t>

  init(_ initial: sending State) {
    storage = Storage.create(minimumCapacity: 1) { _ in initial }
    storage.withUnsafeMutablePointerToElements { _ = pthread_mutex_init($0, nil) }
  }

  /// Runs `body` with the mutex held: decide there, act after it.
  func withLock<Result>(_ body: (inout State) -> Result) -> Result {
    storage.withUnsafeMutablePointers { state, mutex in
      pthread_mutex_lock(mutex)
      defer { pthread_mutex_unlock(mutex) }
      return body(&state.pointee)
    }
  }
}
