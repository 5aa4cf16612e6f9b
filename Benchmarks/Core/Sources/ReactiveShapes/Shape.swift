// SPDX-License-Identifier: MIT

/// A graph and the work on it: one case of the benchmark in one framework.
public protocol Shape {
  /// Runs the iterations, checks their results, and returns the processor time that they took.
  ///
  /// - Throws: ``WrongResult``.
  func run(_ iterations: Int) throws -> Duration
  /// Brings the graph into the state in which the published results hold, and the caches into theirs.
  func warmUp() throws
}

/// A shape whose iterations follow one another on the same graph, all of them timed.
public protocol IteratedShape: Shape {
  func iterate() throws
}

extension IteratedShape {
  @inlinable public func run(_ iterations: Int) throws -> Duration {
    try ProcessorTime.measure {
      for _ in 0..<iterations { try iterate() }
    }
  }

  @inlinable public func warmUp() throws {
    for _ in 0..<3 { try iterate() }
  }
}
