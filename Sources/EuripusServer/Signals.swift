// SPDX-License-Identifier: MIT
import Dispatch
import Glibc

/// Signals that are taken by waiting for them, not by a handler.
struct Signals: Sendable {
  private let set: sigset_t

  /// Blocks the signals for this thread and those it makes from now on.
  static func blocked(_ numbers: [Int32]) -> Signals {
    var set = sigset_t()
    sigemptyset(&set)
    for number in numbers { sigaddset(&set, number) }
    pthread_sigmask(SIG_BLOCK, &set, nil)
    return Signals(set: set)
  }

  /// Waits until one of them comes, and says which.
  func wait() -> Int32 {
    var set = set
    var number: Int32 = 0
    while sigwait(&set, &number) != 0 {}
    return number
  }

  /// Has `body` run, on a thread of its own, when the next one comes.
  func takeNext(_ body: @escaping @Sendable (Int32) -> Void) {
    // A serial queue gets a thread of its own.
    DispatchQueue(label: "euripus.signals").async { body(wait()) }
  }
}
