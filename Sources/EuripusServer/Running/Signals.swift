// SPDX-License-Identifier: MIT
import Dispatch
import Glibc

/// Signals that the process waits for, without a handler.
struct Signals: Sendable {
  private let set: sigset_t

  /// Blocks the signals for this thread and for all threads that it makes from now on.
  static func blocked(_ numbers: [Int32]) -> Signals {
    var set = sigset_t()
    sigemptyset(&set)
    for number in numbers { sigaddset(&set, number) }
    pthread_sigmask(SIG_BLOCK, &set, nil)
    return Signals(set: set)
  }

  /// A signal that has come.
  struct Arrival: Sendable {
    let number: Int32
    /// The process that sent it; 0 for none.
    let sender: Int32
  }

  /// Waits until one of the signals comes.
  func wait() -> Arrival {
    var set = set
    var info = siginfo_t()
    while true {
      let number = sigwaitinfo(&set, &info)
      if number > 0 { return Arrival(number: number, sender: info._sifields._kill.si_pid) }
    }
  }

  /// Runs `body` on a thread of its own when the next signal comes.
  ///
  /// - Parameters:
  ///   - first: the signal that has come already.
  ///   - supervisor: the process that passes on the signals that it gets; 0 for none. A program that ends all
  ///     processes of a service sends the signal to this process too. So the supervisor's first signal does not
  ///     count as a second one. A second one has to come from the supervisor.
  func takeNext(after first: Arrival, supervisor: Int32, _ body: @escaping @Sendable (Int32) -> Void) {
    // A serial queue gets a thread of its own.
    DispatchQueue(label: "euripus.signals").async {
      var hasPassedOn = supervisor == 0 || first.sender == supervisor
      while true {
        let next = wait()
        // SIGHUP ends nothing.
        if next.number == SIGHUP { continue }
        if supervisor == 0 || next.sender == supervisor && hasPassedOn { return body(next.number) }
        hasPassedOn = hasPassedOn || next.sender == supervisor
      }
    }
  }
}
