// SPDX-License-Identifier: MIT
package import AtWork
import CSupervision
import Glibc

/// What a server has that a supervisor started.
package struct Supervised: Sendable {
  /// The socket that it is to accept clients from.
  package let listeningDescriptor: Int32
  /// The supervisor's process.
  package let supervisor: Int32
  /// Where it notes what is at work.
  package let notes: WorkNotes
  /// Whether it is the supervisor's first, and not one that takes the place of another.
  package let isFirst: Bool
  private let status: Int32

  /// Takes over what the supervisor hands to this process; `nil` in one that nobody supervises.
  ///
  /// From here on the process dies when the supervisor does, and says what a deadly signal came to. To be called first of all,
  /// and once, while there is one thread.
  package static func begin() throws(SupervisionError) -> Supervised? {
    guard let variable = getenv(HandOver.variable) else { return nil }
    let text = String(cString: variable)
    // Of no use to what this process may start.
    unsetenv(HandOver.variable)
    guard let handed = HandOver(text) else { throw .badHandOver(text) }
    // Nobody is left to be told.
    guard esv_die_with_parent(handed.supervisor) else { _exit(EXIT_FAILURE) }
    for descriptor in [handed.listening, handed.memory, handed.status] {
      guard fcntl(descriptor, F_SETFD, FD_CLOEXEC) >= 0 else {
        throw .system("taking over descriptor \(descriptor)", errno)
      }
    }
    guard let memory = esv_map_memory(handed.memory) else { throw .system("mapping the supervisor's memory", errno) }
    close(handed.memory)
    esv_watch_for_crashes(memory, handed.status)
    return Supervised(
      listeningDescriptor: handed.listening, supervisor: handed.supervisor, notes: WorkNotes(memory),
      isFirst: handed.life == 1, status: handed.status)
  }

  /// Tells the supervisor that clients are served.
  package func isReady() {
    var byte = StatusByte.ready.rawValue
    // A supervisor that is gone takes this process along.
    _ = write(status, &byte, 1)
  }
}

/// What a server tells its supervisor.
enum StatusByte: UInt8 {
  /// Clients are served.
  case ready = 0x52
  /// A deadly signal has come, and the process is about to end; the handler in C writes it, as 'C'.
  case crashing = 0x43
}
