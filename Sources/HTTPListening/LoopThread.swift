// SPDX-License-Identifier: MIT
import CMicroHTTPDShim
import Glibc

/// The thread of one loop.
// @unchecked Sendable: an identifier that never changes.
struct LoopThread: @unchecked Sendable {
  /// The handler runs on this stack, and with it whatever the application computes.
  private static let stackBytes = 1 << 20

  private let identifier: pthread_t

  /// Starts the thread. It blocks SIGPIPE: a client that left is an error of a write, not of the process.
  init(running loop: EventLoop) throws(HTTPListeningError) {
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    defer { pthread_attr_destroy(&attributes) }
    pthread_attr_setstacksize(&attributes, Self.stackBytes)
    var identifier = pthread_t()
    let argument = Unmanaged.passRetained(loop)
    let status = pthread_create(&identifier, &attributes, runLoop, argument.toOpaque())
    guard status == 0 else {
      argument.release()
      throw .systemRefused(what: "starting a thread", reason: String(cString: strerror(status)))
    }
    self.identifier = identifier
  }

  var isCurrent: Bool { pthread_equal(identifier, pthread_self()) != 0 }

  func join() { pthread_join(identifier, nil) }
}

private func runLoop(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  var signals = sigset_t()
  sigemptyset(&signals)
  sigaddset(&signals, SIGPIPE)
  pthread_sigmask(SIG_BLOCK, &signals, nil)
  if let argument { Unmanaged<EventLoop>.fromOpaque(argument).takeRetainedValue().run() }
  return nil
}
