// SPDX-License-Identifier: MIT
import CMalloc
import Glibc
import Sessions

/// Gives freed memory back to the machine by malloc_trim(3), which the allocator does not do by itself. It does
/// so while the process has more memory than it once had.
struct HeapTrimming {
  /// The least and the longest time between two looks. Trimming looks through the whole heap. If it frees
  /// little, the time to the next look doubles. What is freed meanwhile comes back that much later.
  private static let shortest: Duration = .seconds(5)
  private static let longest: Duration = .seconds(40)
  /// The number of bytes below which trimming is not worth it.
  private static let little = 2_097_152

  private var next: ContinuousClock.Instant
  private var pause = Self.shortest
  /// The least memory that the process has had, in bytes.
  private var least: Int

  init(now: ContinuousClock.Instant, resident: Int) {
    next = now + Self.shortest
    least = resident
  }

  /// Trims, if it is time and the process has a tenth more memory than its least.
  ///
  /// - Parameters:
  ///   - measure: gives the bytes of memory that the process has.
  ///   - trim: gives free memory back.
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
      pause = before - after < Self.little ? min(pause * 2, Self.longest) : Self.shortest
    }
    next = now + pause
  }

  private static func trim() { _ = malloc_trim(0) }

  /// Lets the allocator make one arena for each processor instead of eight. Only the first arena gives back its
  /// free end, so every other one could keep some MiB. To be called before threads are made (mallopt(3),
  /// `M_ARENA_MAX`).
  static func limitArenas() { _ = mallopt(M_ARENA_MAX, Int32(max(2, sysconf(Int32(_SC_NPROCESSORS_ONLN))))) }
}
