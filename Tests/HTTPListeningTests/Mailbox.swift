// SPDX-License-Identifier: MIT
import Glibc

/// A mailbox for values from the loops' threads to a test's thread, which waits for each at most 10 s.
// @unchecked Sendable: the values are touched only with the mutex held.
final class Mailbox<Value: Sendable>: @unchecked Sendable {
  struct Empty: Error {}

  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let arrived = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
  private var values: [Value] = []

  init() {
    pthread_mutex_init(mutex, nil)
    pthread_cond_init(arrived, nil)
  }

  deinit {
    pthread_cond_destroy(arrived)
    pthread_mutex_destroy(mutex)
    arrived.deallocate()
    mutex.deallocate()
  }

  func put(_ value: Value) {
    pthread_mutex_lock(mutex)
    values.append(value)
    pthread_cond_signal(arrived)
    pthread_mutex_unlock(mutex)
  }

  func take() throws -> Value {
    var limit = timespec()
    clock_gettime(CLOCK_REALTIME, &limit)
    limit.tv_sec += 10
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    while values.isEmpty {
      guard pthread_cond_timedwait(arrived, mutex, &limit) == 0 else { throw Empty() }
    }
    return values.removeFirst()
  }

  var count: Int {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return values.count
  }
}

/// The number of the present thread.
func currentThread() -> UInt { UInt(pthread_self()) }
