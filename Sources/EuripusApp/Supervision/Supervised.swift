// SPDX-License-Identifier: MIT
import CSupervision
import Glibc

/// The server's end of a supervisor that started it.
package struct Supervised: Sendable {
  /// The socket that it is to accept clients from.
  package let listeningDescriptor: Int32
  /// The supervisor's process.
  package let supervisor: Int32
  /// The notes of its work.
  package let notes: WorkNotes
  /// Whether it is the supervisor's first, and not one that takes the place of another.
  package let isFirst: Bool
  private let status: Int32
  private let turn: Int32?

  /// Takes over what the supervisor hands to this process; `nil` in one that nobody supervises.
  ///
  /// From here on the process dies when the supervisor does. To be called first of all, and once, while there is one thread.
  package static func begin() throws(SupervisionError) -> Supervised? {
    guard let variable = getenv(HandOver.variable) else { return nil }
    let text = String(cString: variable)
    // It is of no use to a program that this process may start.
    unsetenv(HandOver.variable)
    guard let handed = HandOver(text) else { throw .badHandOver(text) }
    // Nobody is left to be told.
    guard esv_die_with_parent(handed.supervisor) else { _exit(EXIT_FAILURE) }
    for descriptor in [handed.listening, handed.memory, handed.status] + (handed.turn.map { [$0] } ?? []) {
      guard fcntl(descriptor, F_SETFD, FD_CLOEXEC) >= 0 else {
        throw .system("taking over descriptor \(descriptor)", errno)
      }
    }
    let notes = WorkNotes(try NoteMemory(of: handed.memory), poisoned: handed.poisoned)
    return Supervised(
      listeningDescriptor: handed.listening, supervisor: handed.supervisor, notes: notes, isFirst: handed.life == 1,
      status: handed.status, turn: handed.turn)
  }

  /// Tells the supervisor that this server can take the place of the one before it, and waits until that has ended. Returns at
  /// once where there is none.
  package func awaitTurn() {
    guard let turn else { return }
    tell(.prepared)
    var byte: UInt8 = 0
    var count: Int
    repeat { count = read(turn, &byte, 1) } while count < 0 && errno == EINTR
    close(turn)
    // Nobody is left to be told.
    if count <= 0 { _exit(EXIT_FAILURE) }
  }

  /// Tells the supervisor that clients are served. Said by the server itself: one that has trapped since has no handler any more, by
  /// which the supervisor would know that it had one.
  package func isReady() {
    if ServerProcess.catchesTraps(getpid()) { tell(.catchesTraps) }
    tell(.ready)
  }

  private func tell(_ word: ServerProcess.Word) {
    var byte = word.rawValue
    // A supervisor that is gone takes this process along.
    _ = write(status, &byte, 1)
  }
}
