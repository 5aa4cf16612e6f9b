// SPDX-License-Identifier: MIT
import Glibc

/// The traces that a dead server has left: its threads' works, and a backtrace.
struct Remains: Equatable {
  /// The work of the thread that the deadly signal came to.
  private(set) var culprit: Work?
  /// The works of the other threads, or of all if it is not known which of them it was.
  private(set) var others: [Work] = []
  private(set) var backtrace: Backtrace?

  /// - Parameters:
  ///   - works: by their threads' slots.
  ///   - signal: what killed the server; `nil` if it left by itself.
  init(works: [Int: Work], signal: Int32?, backtrace: Backtrace?) {
    self.backtrace = backtrace
    var works = works
    if let backtrace {
      culprit = backtrace.slot.flatMap { works.removeValue(forKey: $0) }
    } else if let signal, Self.traps.contains(signal), works.count == 1 {
      culprit = works.popFirst()?.value
    }
    others = works.sorted { $0.key < $1.key }.map(\.value)
  }

  /// The signals that a thread's own code brings about.
  private static let traps = [SIGILL, SIGTRAP, SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGSYS]
}
