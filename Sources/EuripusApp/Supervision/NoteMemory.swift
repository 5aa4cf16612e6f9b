// SPDX-License-Identifier: MIT
import CSupervision
import Glibc

/// The memory that a supervisor shares with its servers, one after the other. It has the present work of each of
/// a server's threads.
///
/// To note a work takes a few stores, and no system call or lock. At most 256 threads make notes; others work
/// without.
// @unchecked Sendable: each thread of a server writes to a slot of its own. The supervisor reads when the server
// is dead.
final class NoteMemory: @unchecked Sendable {
  let descriptor: Int32
  private let memory: UnsafeMutablePointer<esv_memory>

  init() throws(SupervisionError) {
    descriptor = esv_make_memory()
    guard descriptor >= 0 else { throw .system("making a shared memory", errno) }
    memory = try Self.map(descriptor)
  }

  /// Maps the memory that a supervisor made.
  init(of descriptor: Int32) throws(SupervisionError) {
    self.descriptor = descriptor
    memory = try Self.map(descriptor)
  }

  private static func map(_ descriptor: Int32) throws(SupervisionError) -> UnsafeMutablePointer<esv_memory> {
    if let memory = esv_map_memory(descriptor) { return memory }
    let reason = errno
    close(descriptor)
    throw .system("mapping a shared memory", reason)
  }

  deinit {
    esv_unmap_memory(memory)
    close(descriptor)
  }

  /// Runs `body` with a note of the calling thread's work. Within the `body` of another work that work's note
  /// stays, as it is the cause.
  func during<Result, Failure: Error>(_ work: Work, _ body: () throws(Failure) -> Result) throws(Failure) -> Result {
    guard let slot = esv_own_slot(memory), slot.pointee.mark == 0 else { return try body() }
    Self.write(work, to: slot)
    defer { esv_end(slot) }
    return try body()
  }

  /// Changes the note of the calling thread, if it has one, to another work.
  func turn(to work: Work) {
    guard let slot = esv_own_slot(memory), slot.pointee.mark != 0 else { return }
    Self.write(work, to: slot)
  }

  private static func write(_ work: Work, to slot: UnsafeMutablePointer<esv_slot>) {
    var text = work.text
    text.withUTF8 { esv_begin(slot, work.mark, work.clientMark, work.actionMark, $0.baseAddress, $0.count) }
  }

  /// The works that are noted now, by the slots of their threads.
  var works: [Int: Work] {
    var works: [Int: Work] = [:]
    for index in 0..<Int(ESV_SLOTS) {
      guard let slot = esv_slot_at(memory, UInt32(index)), slot.pointee.mark != 0 else { continue }
      // A process that has run wild may have written anything here.
      let length = Int(min(slot.pointee.length, UInt32(ESV_TEXT)))
      let text = UnsafeBufferPointer(start: esv_slot_text(slot), count: length)
      works[index] = Work(
        mark: slot.pointee.mark, clientMark: slot.pointee.client, actionMark: slot.pointee.action,
        text: String(decoding: text, as: UTF8.self))
    }
    return works
  }

  /// Takes the works of a dead server, and clears the memory for the next server.
  func take() -> [Int: Work] {
    defer { esv_clear(memory) }
    return works
  }
}
