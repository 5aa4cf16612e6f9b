// SPDX-License-Identifier: MIT
import Glibc

/// The machine that the figures were taken on, and the time.
enum Machine {
  static var description: String { "\(model ?? "an unknown processor"), \(sysconf(Int32(_SC_NPROCESSORS_ONLN))) CPUs" }

  /// In ISO 8601, UTC.
  static var date: String {
    var now = time(nil)
    var parts = tm()
    gmtime_r(&now, &parts)
    return withUnsafeTemporaryAllocation(of: CChar.self, capacity: 32) { buffer in
      guard let text = buffer.baseAddress else { return "" }
      strftime(text, buffer.count, "%Y-%m-%dT%H:%M:%SZ", &parts)
      return String(cString: text)
    }
  }

  private static var model: String? {
    guard let file = fopen("/proc/cpuinfo", "r") else { return nil }
    defer { fclose(file) }
    var buffer = [CChar](repeating: 0, count: 4096)
    while fgets(&buffer, Int32(buffer.count), file) != nil {
      let line = buffer.withUnsafeBufferPointer { String(cString: $0.baseAddress.unsafelyUnwrapped) }
      let halves = line.split(separator: ":", maxSplits: 1)
      if line.hasPrefix("model name"), halves.count == 2 { return String(halves[1].dropFirst().dropLast()) }
    }
    return nil
  }
}
