// SPDX-License-Identifier: MIT

/// The names of the cases, each with the number and the unit of the iterations of one measurement.
public enum Case: String, CaseIterable, Sendable {
  case broad, deep, diamond, triangle, mux, avoidable, repeated, unstable
  case cellx1000, cellx2500
  case dynamic10x5, dynamic10x10, dynamic1000x12, dynamic1000x5, dynamic5x500, dynamic100x15
  case update1to1, update1to1000, update1000to1, create

  /// The number of iterations that the reported milliseconds are for.
  public var iterations: Int {
    switch self {
    case .broad, .deep, .diamond, .triangle, .mux, .avoidable, .repeated, .unstable: 500
    case .cellx1000, .cellx2500: 10
    case .dynamic10x5, .dynamic10x10, .dynamic1000x12, .dynamic1000x5, .dynamic5x500, .dynamic100x15:
      GraphConfiguration(self)?.iterations ?? 0
    case .update1to1: 400_000
    case .update1to1000: 10_000
    case .update1000to1: 400
    case .create: 100_000
    }
  }

  /// The unit of one iteration.
  public var unit: String {
    switch self {
    case .broad, .deep, .diamond, .triangle, .mux, .avoidable, .repeated, .unstable: "iterations"
    case .cellx1000, .cellx2500: "updates of a new graph"
    case .dynamic10x5, .dynamic10x10, .dynamic1000x12, .dynamic1000x5, .dynamic5x500, .dynamic100x15,
      .update1to1, .update1to1000, .update1000to1:
      "writes"
    case .create: "chains of signal, computed and observer, made and dropped"
    }
  }
}
