// SPDX-License-Identifier: MIT

/// The metrics of a server.
public struct MetricsConfiguration: Sendable {
  /// The clients that may read `/metrics`.
  public var access = MetricsAccess.local
  /// The metrics, to which an app may add its own. By default a server has a registry of its own. Two servers
  /// cannot share one.
  public var registry = MetricRegistry()

  public init() {}
}
