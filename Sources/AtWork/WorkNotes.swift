// SPDX-License-Identifier: MIT
import CSupervision
import Glibc

/// What each thread of a supervised server is at, noted where it can be read when the process is dead (Decisions/0032).
///
/// A note is a few stores to memory that is shared with the supervisor: no system call, no lock. At most 128 threads note;
/// others go on without.
// @unchecked Sendable: each thread writes to a slot of its own, and nobody else does while the process lives.
package final class WorkNotes: @unchecked Sendable {
  /// How many servers have to die with something at work before that is not done again, where it is not known which of all
  /// that was at work it was.
  package static let deathsWithoutCulprit: UInt32 = 2

  private let memory: UnsafeMutablePointer<esv_memory>

  /// - Parameter memory: what the supervisor gave; to stay where it is for as long as the process lives.
  package init(_ memory: UnsafeMutableRawPointer) { self.memory = memory.assumingMemoryBound(to: esv_memory.self) }

  /// Runs `body` with a note that this is at work. What is noted inside it takes the place of this one.
  package func during<Result, Failure: Error>(
    _ work: Work, _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    guard let slot = esv_slot_of_thread() ?? esv_take_slot(memory) else { return try body() }
    work.note(in: slot)
    defer { esv_end(slot) }
    return try body()
  }

  /// Ends what the calling thread is at before `during` does.
  package func end() {
    if let slot = esv_slot_of_thread() { esv_end(slot) }
  }

  /// What the calling thread is at.
  package var current: Work? {
    guard let slot = esv_slot_of_thread(), slot.pointee.mark != 0 else { return nil }
    return Work(noted: slot)
  }

  /// Whether an earlier server died of what the calling thread is at, so that it is not to be done again.
  ///
  /// - Parameter rest: how long ago that has to be for it to be tried again; `nil` for as long as it is remembered.
  package func isPoisoned(rest: Duration? = nil) -> Bool {
    // Written before this process was there.
    let count = memory.pointee.entry_count
    guard count > 0, let mark = esv_slot_of_thread()?.pointee.mark, mark != 0 else { return false }
    for index in 0..<min(count, UInt32(ESV_ENTRIES)) {
      guard let entry = esv_entry_at(memory, index), entry.pointee.mark == mark else { continue }
      if entry.pointee.deaths < Self.deathsWithoutCulprit { return false }
      guard let rest else { return true }
      return Self.now - entry.pointee.at < rest.components.seconds
    }
    return false
  }

  /// Seconds of the clock that entries are dated by.
  package static var now: Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec)
  }
}
