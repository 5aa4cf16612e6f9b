// SPDX-License-Identifier: MIT

/// What a metric is, in Prometheus' words.
public enum MetricKind: String, Sendable {
  /// It only grows, until the process ends.
  case counter
  /// It goes up and down.
  case gauge
  case histogram
}

/// One value of a metric that is read when it is asked for.
public struct MetricReading: Sendable {
  let labels: [(String, String)]
  let value: Double

  public init(_ value: Double, _ labels: [(String, String)] = []) {
    self.value = value
    self.labels = labels
  }

  public init(_ value: some BinaryInteger, _ labels: [(String, String)] = []) { self.init(Double(value), labels) }
}
