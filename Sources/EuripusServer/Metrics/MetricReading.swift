// SPDX-License-Identifier: MIT

/// One value of a metric that is read when it is asked for.
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

  /// - Parameter distribution: a value of a histogram.
  public init(_ distribution: Distribution, _ labels: [(String, String)] = []) {
    value = .distribution(distribution)
    self.labels = labels
  }
}
