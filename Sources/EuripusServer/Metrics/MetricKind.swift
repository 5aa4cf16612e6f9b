// SPDX-License-Identifier: MIT

/// The kind of a metric, in Prometheus' words.
public enum MetricKind: String, Sendable {
  /// It only grows, until the process ends.
  case counter
  /// It goes up and down.
  case gauge
  case histogram
}
