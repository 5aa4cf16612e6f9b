// SPDX-License-Identifier: MIT
import Glibc

/// A thread that is over, with all that belonged to it, when `join` returns: what is noted in a thread's slot is one test's.
struct OwnThread {
  private let thread: pthread_t

  private final class Body {
    let run: @Sendable () -> Void
    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
  }

  init(_ body: @escaping @Sendable () -> Void) {
    var thread = pthread_t()
    let context = Unmanaged.passRetained(Body(body)).toOpaque()
    let failure = pthread_create(&thread, nil, { runBody($0) }, context)
    precondition(failure == 0, "pthread_create failed with \(failure)")
    self.thread = thread
  }

  func join() { pthread_join(thread, nil) }

  static func run(_ body: @escaping @Sendable () -> Void) { OwnThread(body).join() }

  private static func take(_ context: UnsafeMutableRawPointer?) -> Body? {
    context.map { Unmanaged<Body>.fromOpaque($0).takeRetainedValue() }
  }

  fileprivate static func perform(_ context: UnsafeMutableRawPointer?) { take(context)?.run() }
}

private func runBody(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  OwnThread.perform(context)
  return nil
}
