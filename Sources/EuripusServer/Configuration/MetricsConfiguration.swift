// SPDX-License-Identifier: MIT

/// The metrics of a server.
public struct MetricsConfiguration: Sendable {
  /// The clients that may read `/metrics`.
  public var access = MetricsAccess.local
  /// The metrics, to which an app may add its own; a server has its own unless it is given one. Two servers need two.
  public var registry = MetricRegistry()

  public init() {}
}
