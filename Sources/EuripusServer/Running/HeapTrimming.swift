// SPDX-License-Identifier: MIT
import CMalloc
import Glibc
import Sessions

/// Giving memory that was freed back to the machine, which the allocator does not do by itself: malloc_trim(3), after the process
/// has grown.
struct HeapTrimming {
  /// Trimming looks through the whole heap, so it is neither done often nor for little.
  private static let interval: Duration = .seconds(5)
  private static let leastGrowth = 2_097_152

  private var next: ContinuousClock.Instant
  /// The memory that the process had after the last time, in bytes.
  private var resident: Int

  init(now: ContinuousClock.Instant, resident: Int) {
    next = now + Self.interval
    self.resident = resident
  }

  private static func trim() { _ = malloc_trim(0) }

  /// Trims, if it is time and the process has grown by a tenth since the last time.
  ///
  /// - Parameters:
  ///   - measure: gives the memory that the process has, in bytes.
  ///   - trim: gives back what is free.
  mutating func tend(
    _ now: ContinuousClock.Instant, measure: () -> Int = ProcessMemory.resident, trim: () -> Void = Self.trim
  ) {
    if now < next { return }
    next = now + Self.interval
    let present = measure()
    if present < resident + max(Self.leastGrowth, resident / 10) {
      resident = min(resident, present)
      return
    }
    trim()
    resident = measure()
  }
}

/// The memory of this process.
enum ProcessMemory {
  /// Bytes that are in the machine's memory (proc(5), statm); 0 where that cannot be read.
  @Sendable static func resident() -> Int {
    let fields = SystemFile.text("/proc/self/statm")?.split(separator: " ") ?? []
    return (fields.dropFirst().first.flatMap { Int($0) } ?? 0) * sysconf(Int32(_SC_PAGESIZE))
  }
}
