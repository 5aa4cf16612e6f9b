// SPDX-License-Identifier: MIT
import Glibc
import Sessions

/// The system's metrics of this process, under the names that Prometheus' client libraries use.
public enum ProcessReadings {
  /// Makes `registry` read them.
  public static func add(to registry: MetricRegistry) {
    registry.read("process_cpu_seconds_total", .counter, "CPU time of the process, user's and system's, in seconds.") {
      cpuSeconds().map { [MetricReading($0)] } ?? []
    }
    registry.read("process_resident_memory_bytes", .gauge, "Memory of the process that is in the machine's, in bytes.")
    {
      [MetricReading(ProcessMemory.resident())]
    }
    registry.read("process_open_fds", .gauge, "Open file descriptors of the process.") {
      openDescriptors().map { [MetricReading($0)] } ?? []
    }
    registry.read("process_max_fds", .gauge, "File descriptors that the process may have open.") {
      var limit = rlimit()
      return getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 ? [MetricReading(limit.rlim_cur)] : []
    }
    registry.read("euripus_log_lines_lost_total", .counter, "Lines of the log that nobody read in time.") {
      [MetricReading(LogOutput.standardError.lost)]
    }
    registry.read("process_start_time_seconds", .gauge, "When the process began, in seconds since 1970.") {
      startTime.map { [MetricReading($0)] } ?? []
    }
  }

  private static func cpuSeconds() -> Double? {
    var time = timespec()
    guard clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time) == 0 else { return nil }
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  private static func openDescriptors() -> Int? {
    guard let directory = opendir("/proc/self/fd") else { return nil }
    defer { closedir(directory) }
    // The entries ".", ".." and the directory's own descriptor do not count.
    var count = -3
    while readdir(directory) != nil { count += 1 }
    return count
  }

  private static let startTime: Double? = {
    // The start is the 22nd field. The program's name, in brackets, may have spaces in it (proc(5)).
    guard let text = SystemFile.text("/proc/self/stat"), let bracket = text.lastIndex(of: ")") else { return nil }
    let rest = text[bracket...].split(separator: " ")
    guard rest.count > 20, let ticks = Double(rest[20]) else { return nil }
    let boot = SystemFile.text("/proc/stat")?.split(separator: "\n").first { $0.hasPrefix("btime ") }
    return boot.flatMap { Double($0.dropFirst("btime ".count)) }.map {
      $0 + ticks / Double(sysconf(Int32(_SC_CLK_TCK)))
    }
  }()
}

/// The memory of this process.
enum ProcessMemory {
  /// The bytes that are in the machine's memory; 0 if they cannot be read (proc(5), statm).
  @Sendable static func resident() -> Int {
    let fields = SystemFile.text("/proc/self/statm")?.split(separator: " ") ?? []
    return (fields.dropFirst().first.flatMap { Int($0) } ?? 0) * sysconf(Int32(_SC_PAGESIZE))
  }
}
