// SPDX-License-Identifier: MIT
import CMicroHTTPDShim
import Glibc

/// The thread of one loop.
struct LoopThread: Sendable {
  /// The size of the stack on which the handler and all code of the app that it calls run.
  private static let stackBytes = 1 << 20

  private let identifier: pthread_t

  init(running loop: EventLoop) throws(HTTPListeningError) {
    let (identifier, status) = Engine.startThread(running: loop, stackBytes: Self.stackBytes)
    guard status == 0 else {
      throw .systemRefused(what: "starting a thread", reason: String(cString: strerror(status)))
    }
    self.identifier = identifier
  }

  var isCurrent: Bool { pthread_equal(identifier, pthread_self()) != 0 }

  func join() { pthread_join(identifier, nil) }
}
