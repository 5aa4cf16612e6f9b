// SPDX-License-Identifier: MIT
import Glibc

/// Runs `body` to its end on a thread with a stack of 512 KiB. Code that recurses once a node in a long chain
/// dies there.
func onSmallStack(_ body: @escaping @Sendable () -> Void) {
  final class Work: Sendable {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }
  var attributes = pthread_attr_t()
  pthread_attr_init(&attributes)
  pthread_attr_setstacksize(&attributes, 512 * 1024)
  var thread = pthread_t()
  let status = pthread_create(
    &thread, &attributes,
    { work in
      if let work { Unmanaged<Work>.fromOpaque(work).takeRetainedValue().body() }
      return nil
    }, Unmanaged.passRetained(Work(body)).toOpaque())
  precondition(status == 0, "pthread_create failed with \(status)")
  pthread_join(thread, nil)
  pthread_attr_destroy(&attributes)
}
