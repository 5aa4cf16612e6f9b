// SPDX-License-Identifier: MIT

/// The largest value that a text may have; the length of the text is for the caller to bound.
public struct JSONLimits: Sendable {
  /// The deepest nesting of arrays and objects. Reading recurses as deep: keep it within the stack of a thread.
  public var depth: Int
  /// The number of values, arrays and objects themselves included; names are not counted.
  public var nodes: Int

  public init(depth: Int = 32, nodes: Int = 4_096) {
    self.depth = depth
    self.nodes = nodes
  }
}
