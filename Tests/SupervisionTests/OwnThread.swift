// SPDX-License-Identifier: MIT
import Glibc
import Testing

/// A thread that is over when `join` returns, with all that belonged to it. So a note in a thread's slot
/// belongs to one test.
struct OwnThread {
  typealias Body = @Sendable () -> Void

  private let thread: pthread_t

  init(_ body: @escaping Body) {
    var thread = pthread_t()
    let context = UnsafeMutablePointer<Body>.allocate(capacity: 1)
    context.initialize(to: body)
    let failure = pthread_create(
      &thread, nil,
      { context in
        let body = context?.assumingMemoryBound(to: Body.self)
        body?.move()()
        body?.deallocate()
        return nil
      }, context)
    precondition(failure == 0, "pthread_create failed with \(failure)")
    self.thread = thread
  }

  func join() { pthread_join(thread, nil) }

  static func run(_ body: @escaping @Sendable () throws -> Void) {
    OwnThread { do { try body() } catch { Issue.record(error) } }.join()
  }
}
