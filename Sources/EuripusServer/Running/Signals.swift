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

  /// One that has come.
  struct Arrival: Sendable {
    let number: Int32
    /// The process that sent it; 0 for none.
    let sender: Int32
  }

  /// Waits until one of them comes, and says which.
  func wait() -> Arrival {
    var set = set
    var info = siginfo_t()
    while true {
      let number = sigwaitinfo(&set, &info)
      if number > 0 { return Arrival(number: number, sender: info._sifields._kill.si_pid) }
    }
  }

  /// Has `body` run, on a thread of its own, when the next one comes.
  ///
  /// - Parameters:
  ///   - first: the one that has come.
  ///   - supervisor: a process that passes on the signals that it gets; 0 for none. A program that tells all processes of a
  ///     service to end tells this one as well. So the supervisor's first signal does not count as a second one, and a
  ///     second one comes from it.
  func takeNext(after first: Arrival, supervisor: Int32, _ body: @escaping @Sendable (Int32) -> Void) {
    // A serial queue gets a thread of its own.
    DispatchQueue(label: "euripus.signals").async {
      var hasPassedOn = supervisor == 0 || first.sender == supervisor
      while true {
        let next = wait()
        // It ends nothing.
        if next.number == SIGHUP { continue }
        if supervisor == 0 || next.sender == supervisor && hasPassedOn { return body(next.number) }
        hasPassedOn = hasPassedOn || next.sender == supervisor
      }
    }
  }
}
