// SPDX-License-Identifier: MIT

/// The versions that the server was built with. They are for operators, and no client is told.
enum BuildReading {
  static func add(_ version: String, to registry: MetricRegistry) {
    registry.gauge(
      "euripus_build_info", "What the server was built with; always 1.",
      [("protocol", "1"), ("swift", swiftVersion), ("version", version)]
    ).set(1.0)
  }

  private static var swiftVersion: String {
    #if compiler(>=6.4)
      "6.4 or later"
    #elseif compiler(>=6.3)
      "6.3"
    #else
      "6.2"
    #endif
  }
}
