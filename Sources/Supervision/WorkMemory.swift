// SPDX-License-Identifier: MIT
import AtWork
import CSupervision
import Glibc

/// The memory that a supervisor shares with its servers, one after the other, as the supervisor sees it.
///
/// What servers died of is kept over the life of each, as long as the supervisor's; of more than 256 the oldest is dropped.
final class WorkMemory {
  let descriptor: Int32
  private let memory: UnsafeMutablePointer<esv_memory>

  init() throws(SupervisionError) {
    descriptor = esv_make_memory()
    guard descriptor >= 0 else { throw .system("making a shared memory", errno) }
    guard let memory = esv_map_memory(descriptor) else {
      let reason = errno
      close(descriptor)
      throw .system("mapping a shared memory", reason)
    }
    self.memory = memory
  }

  deinit {
    esv_unmap_memory(memory)
    close(descriptor)
  }

  /// As the server sees it.
  var shared: UnsafeMutableRawPointer { UnsafeMutableRawPointer(memory) }

  /// Takes what a dead server has left, remembers what it died of, and makes the memory ready for the next one.
  ///
  /// - Parameters:
  ///   - counts: whether its death tells anything of what was at work.
  ///   - now: seconds of CLOCK_MONOTONIC.
  func take(counts: Bool, now: Int64 = WorkNotes.now) -> Remains {
    var remains = Remains(crash: crash)
    let culprit = remains.crash == nil ? 0 : memory.pointee.crash.slot
    for index in 0..<UInt32(ESV_SLOTS) {
      guard let slot = esv_slot_at(memory, index) else { continue }
      if slot.pointee.mark != 0 {
        let bytes = UnsafeBufferPointer(start: esv_slot_text(slot), count: Self.length(slot.pointee.length))
        let work = Remains.Work(mark: slot.pointee.mark, text: String(decoding: bytes, as: UTF8.self))
        if index + 1 == culprit { remains.culprit = work } else { remains.others.append(work) }
      }
      slot.pointee.mark = 0
      slot.pointee.thread = 0
    }
    memory.pointee.crash.signal = 0
    if counts { count(remains, now) }
    return remains
  }

  /// A trap is its own thread's; what kills a process from outside may be due to any of those that were at work.
  private func count(_ remains: Remains, _ now: Int64) {
    if remains.crash == nil {
      for work in remains.others { add(work, deaths: 1, now) }
    } else if let culprit = remains.culprit {
      add(culprit, deaths: WorkNotes.deathsWithoutCulprit, now)
    }
  }

  private func add(_ work: Remains.Work, deaths: UInt32, _ now: Int64) {
    let entry = place(of: work.mark)
    let isKnown = entry.pointee.mark == work.mark
    if !isKnown {
      let text = Array(work.text.utf8)
      esv_set_entry(entry, work.mark, text, UInt32(text.count))
    }
    let (sum, isTooMuch) = entry.pointee.deaths.addingReportingOverflow(deaths)
    entry.pointee.deaths = isKnown && !isTooMuch ? sum : deaths
    entry.pointee.at = now
  }

  /// The entry of this mark, a new one, or the oldest.
  private func place(of mark: UInt64) -> UnsafeMutablePointer<esv_entry> {
    let count = memory.pointee.entry_count
    let entries = (0..<count).compactMap { esv_entry_at(memory, $0) }
    if let known = entries.first(where: { $0.pointee.mark == mark }) { return known }
    if count < UInt32(ESV_ENTRIES), let new = esv_entry_at(memory, count) {
      memory.pointee.entry_count = count + 1
      return new
    }
    guard let oldest = entries.min(by: { $0.pointee.at < $1.pointee.at }) else {
      preconditionFailure("the memory has \(count) entries; expected some where there is no room for one")
    }
    oldest.pointee.mark = 0
    return oldest
  }

  private var crash: Remains.Crash? {
    let crash = memory.pointee.crash
    guard crash.signal != 0 else { return nil }
    let frames = (0..<min(crash.frame_count, UInt32(ESV_FRAMES))).map { esv_frame_at(memory, $0) }
    let modules = (0..<min(memory.pointee.module_count, UInt32(ESV_MODULES))).compactMap { index in
      esv_module_at(memory, index).flatMap { Self.module($0) }
    }
    return Remains.Crash(
      signal: crash.signal, code: crash.code, address: crash.address, instruction: crash.instruction, frames: frames,
      modules: modules)
  }

  private static func module(_ module: UnsafeMutablePointer<esv_module>) -> Remains.Module? {
    guard module.pointee.start < module.pointee.end, let path = esv_module_path(module) else { return nil }
    return Remains.Module(
      path: String(cString: path), bias: module.pointee.bias, addresses: module.pointee.start..<module.pointee.end)
  }

  /// A process that has run wild may have written anything there.
  private static func length(_ length: UInt32) -> Int { Int(min(length, UInt32(ESV_TEXT))) }
}
