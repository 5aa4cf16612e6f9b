// SPDX-License-Identifier: MIT
import Glibc

/// The traces of a dead server: the works of its threads, and a backtrace.
struct Remains: Equatable {
  /// The work of the thread that got the deadly signal; `nil` if it is not known.
  private(set) var culprit: Work?
  /// The works of the other threads, or of all if that thread is not known.
  private(set) var others: [Work] = []
  private(set) var backtrace: Backtrace?

  /// - Parameters:
  ///   - works: the works, by the slots of their threads.
  ///   - signal: the signal that killed the server; `nil` if the server exited.
  init(works: [Int: Work], signal: Int32?, backtrace: Backtrace?) {
    self.backtrace = backtrace
    var works = works
    if let backtrace {
      culprit = backtrace.slot.flatMap { works.removeValue(forKey: $0) }
    } else if works.count == 1, signal.map(Self.traps.contains) == true {
      culprit = works.popFirst()?.value
    }
    others = works.sorted { $0.key < $1.key }.map(\.value)
  }

  /// The signals that a thread's own code causes.
  private static let traps = [SIGILL, SIGTRAP, SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGSYS]
}
