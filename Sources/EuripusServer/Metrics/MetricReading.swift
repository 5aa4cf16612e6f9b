// SPDX-License-Identifier: MIT

/// One value of a metric, which is read whenever the metrics are shown.
public struct MetricReading: Sendable {
  enum Value: Sendable {
    case number(Double)
    case distribution(Distribution)
  }

  let labels: [(String, String)]
  let value: Value

  public init(_ value: Double, _ labels: [(String, String)] = []) {
    self.value = .number(value)
    self.labels = labels
  }

  public init(_ value: some BinaryInteger, _ labels: [(String, String)] = []) { self.init(Double(value), labels) }

  /// - Parameter distribution: the value of a histogram.
  public init(_ distribution: Distribution, _ labels: [(String, String)] = []) {
    value = .distribution(distribution)
    self.labels = labels
  }
}
