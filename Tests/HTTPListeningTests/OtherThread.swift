// SPDX-License-Identifier: MIT
import Glibc

/// A thread of a test's own: all threads of the pool may be waiting in other tests.
struct OtherThread {
  fileprivate let identifier: pthread_t

  func join() { pthread_join(identifier, nil) }
}

/// Runs `body` on another thread, which the caller joins.
func onThread(_ body: @escaping @Sendable () -> Void) -> OtherThread {
  final class Work {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }
  var identifier = pthread_t()
  let status = pthread_create(
    &identifier, nil,
    { argument in
      if let argument { Unmanaged<Work>.fromOpaque(argument).takeRetainedValue().body() }
      return nil
    }, Unmanaged.passRetained(Work(body)).toOpaque())
  precondition(status == 0, "no thread: \(status)")
  return OtherThread(identifier: identifier)
}
