// SPDX-License-Identifier: MIT

/// The dimensions of a rectangular graph, and the results that are published for it.
public struct GraphConfiguration: Sendable {
  /// The number of signals, and of computeds in each layer.
  public var width: Int
  /// The number of layers, with that of the signals.
  public var layers: Int
  /// The number of nodes of the layer above that a computed reads.
  public var sources: Int
  /// The share of computeds that always read all their sources. The others leave one source out where the value of
  /// their first one is odd.
  public var staticShare: Double
  /// The share of the last layer that is read after each write.
  public var readShare: Double
  public var iterations: Int
  /// The published sum of the leaves that are read at the end.
  public var sum: Double
  /// The published number of formulas that run, in a framework that runs none in vain.
  public var count: Int

  /// The configuration of a case; `nil` where the case is no rectangular graph.
  public init?(_ which: Case) {
    switch which {
    case .dynamic10x5:
      self.init(10, 5, 2, staticShare: 1, readShare: 0.2, 600_000, sum: 19_199_968, count: 3_480_000)
    case .dynamic10x10:
      self.init(10, 10, 6, staticShare: 0.75, readShare: 0.2, 15_000, sum: 302_310_782_860, count: 1_155_000)
    case .dynamic1000x12:
      self.init(1000, 12, 4, staticShare: 0.95, readShare: 1, 7_000, sum: 29_355_933_696_000, count: 1_463_000)
    case .dynamic1000x5:
      self.init(1000, 5, 25, staticShare: 1, readShare: 1, 3_000, sum: 1_171_484_375_000, count: 732_000)
    case .dynamic5x500:
      self.init(5, 500, 3, staticShare: 1, readShare: 1, 500, sum: 3.0239642676898464e241, count: 1_246_500)
    case .dynamic100x15:
      self.init(100, 15, 6, staticShare: 0.5, readShare: 1, 2_000, sum: 15_664_996_402_790_400, count: 1_078_000)
    default: return nil
    }
  }

  /// The configuration of a case that is a rectangular graph.
  public static func published(_ which: Case) -> GraphConfiguration {
    guard let configuration = GraphConfiguration(which) else { preconditionFailure("\(which) is no rectangular graph") }
    return configuration
  }

  private init(
    _ width: Int, _ layers: Int, _ sources: Int, staticShare: Double, readShare: Double, _ iterations: Int,
    sum: Double, count: Int
  ) {
    self.width = width
    self.layers = layers
    self.sources = sources
    self.staticShare = staticShare
    self.readShare = readShare
    self.iterations = iterations
    self.sum = sum
    self.count = count
  }
}
