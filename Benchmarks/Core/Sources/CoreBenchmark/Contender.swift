// SPDX-License-Identifier: MIT
import ReactiveShapes

/// One framework in one case: its graph, and the measurements so far.
final class Contender {
  private let shape: AnyShape
  private let full: Int
  /// The number of measured iterations. The figures are scaled to all iterations of the case.
  let iterations: Int
  /// Milliseconds for all iterations of the case, round by round.
  private(set) var milliseconds: [Double] = []

  /// Warms the graph up and, if there is a budget, finds how many iterations fit it.
  init(_ shape: AnyShape, of which: Case, within budget: Duration?) throws {
    self.shape = shape
    full = which.iterations
    try shape.warmUp()
    guard let budget else {
      iterations = full
      return
    }
    // Growing samples, so that the first ones of a slow framework do not take long.
    var sample = 1
    var duration = try shape.run(sample)
    while duration < .milliseconds(10), sample < full {
      sample = min(sample * 4, full)
      duration = try shape.run(sample)
    }
    iterations = duration * full <= budget * sample ? full : max(1, Int(Double(sample) * (budget / duration)))
  }

  var isScaled: Bool { iterations < full }

  func measure() throws {
    milliseconds.append(try shape.run(iterations) / .milliseconds(1) * Double(full) / Double(iterations))
  }

  var median: Double {
    let sorted = milliseconds.sorted()
    let middle = sorted.count / 2
    return sorted.count.isMultiple(of: 2) ? (sorted[middle - 1] + sorted[middle]) / 2 : sorted[middle]
  }

  /// The distance from the quickest round to the slowest, as a share of the median.
  var spread: Double { ((milliseconds.max() ?? 0) - (milliseconds.min() ?? 0)) / median }
}
