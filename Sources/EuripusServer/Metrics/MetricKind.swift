// SPDX-License-Identifier: MIT

/// The kind of a metric, in Prometheus' words.
public enum MetricKind: String, Sendable {
  /// A number that only grows, until the process ends.
  case counter
  /// A number that goes up and down.
  case gauge
  case histogram
}
