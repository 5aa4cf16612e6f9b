// SPDX-License-Identifier: MIT
import CSupervision
import Euripus
import Glibc

/// A server's side of the supervisor that started it.
package struct Supervised: Sendable {
  /// The socket from which it accepts clients.
  package let listeningDescriptor: Int32
  /// The supervisor's process.
  package let supervisor: Int32
  /// The notes of its work.
  package let notes: WorkNotes
  /// Whether it is the supervisor's first server, and follows no other.
  package let isFirst: Bool
  private let status: Int32
  private let turn: Int32?

  /// Takes the things that the supervisor hands to this process; `nil` in a process without a supervisor.
  ///
  /// From here on the process dies when the supervisor does. Call it first of all, once, while there is one
  /// thread.
  package static func begin() throws(SupervisionError) -> Supervised? {
    guard let variable = getenv(HandOver.variable) else { return nil }
    let text = String(cString: variable)
    // Programs that this process may start have no use for it.
    unsetenv(HandOver.variable)
    guard let handed = HandOver(text) else { throw .badHandOver(text) }
    // The supervisor is gone, so there is nobody to tell.
    guard esv_die_with_parent(handed.supervisor) else { _exit(EXIT_FAILURE) }
    // It was started by the path of an open file, after which the system has named it.
    esv_name_process(ProgramName.current)
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

  /// Tells the supervisor that this server can replace the one before it, and waits until that has ended. If
  /// there is none before it, it returns at once.
  package func awaitTurn() {
    guard let turn else { return }
    tell(.prepared)
    var byte: UInt8 = 0
    var count: Int
    repeat { count = read(turn, &byte, 1) } while count < 0 && errno == EINTR
    close(turn)
    // The supervisor is gone, so there is nobody to tell.
    if count <= 0 { _exit(EXIT_FAILURE) }
  }

  /// Tells the supervisor that it serves clients, and whether the runtime catches traps. The supervisor cannot
  /// find that out later: a server that has trapped has no handler any more.
  package func isReady() {
    if ServerProcess.catchesTraps(getpid()) { tell(.catchesTraps) }
    tell(.ready)
  }

  /// Refuses nothing any more, and has the supervisor forget all that it suspects.
  package func pardon() {
    // The supervisor is told first, so that a death that follows counts from the beginning.
    tell(.pardons)
    notes.pardon()
  }

  /// Tells the supervisor that this server has ended as it was told to. A program that exits without that is
  /// started again, whatever its status.
  package func hasStopped() { tell(.stopped) }

  private func tell(_ word: ServerProcess.Word) {
    var byte = word.rawValue
    // If the supervisor is gone, this process dies with it.
    _ = write(status, &byte, 1)
  }
}
