// SPDX-License-Identifier: MIT
import CMalloc
import Glibc
import Sessions

/// Giving memory that was freed back to the machine, which the allocator does not do by itself: malloc_trim(3), for as long as
/// the process has more than it once had.
struct HeapTrimming {
  /// The time between two looks. Trimming looks through the heap: where little came of it, the next is twice as far away.
  private static let shortest: Duration = .seconds(5)
  private static let longest: Duration = .seconds(300)
  /// Less than that is not worth it.
  private static let little = 2_097_152

  private var next: ContinuousClock.Instant
  private var pause = Self.shortest
  /// The least memory that the process has had, in bytes.
  private var least: Int

  init(now: ContinuousClock.Instant, resident: Int) {
    next = now + Self.shortest
    least = resident
  }

  /// Trims, if it is time and the process has a tenth more than its least.
  ///
  /// - Parameters:
  ///   - measure: gives the memory that the process has, in bytes.
  ///   - trim: gives back the memory that is free.
  mutating func tend(
    _ now: ContinuousClock.Instant, measure: () -> Int = ProcessMemory.resident, trim: () -> Void = Self.trim
  ) {
    if now < next { return }
    let before = measure()
    if before < least + max(Self.little, least / 10) {
      pause = Self.shortest
      least = min(least, before)
    } else {
      trim()
      let after = measure()
      least = min(least, after)
      let isLittle = before - after < max(Self.little, before / 16)
      pause = isLittle ? min(pause * 2, Self.longest) : Self.shortest
    }
    next = now + pause
  }

  private static func trim() { _ = malloc_trim(0) }

  /// Lets the allocator make one arena a processor, and not its eight: the free end of an arena is not given back, but for the
  /// first's, and so each could keep some MiB. To be called before threads are made (mallopt(3), `M_ARENA_MAX`).
  static func limitArenas() { _ = mallopt(M_ARENA_MAX, Int32(max(2, sysconf(Int32(_SC_NPROCESSORS_ONLN))))) }
}

/// The memory of this process.
enum ProcessMemory {
  /// Bytes that are in the machine's memory (proc(5), statm); 0 where that cannot be read.
  @Sendable static func resident() -> Int {
    let fields = SystemFile.text("/proc/self/statm")?.split(separator: " ") ?? []
    return (fields.dropFirst().first.flatMap { Int($0) } ?? 0) * sysconf(Int32(_SC_PAGESIZE))
  }
}
