// SPDX-License-Identifier: MIT

/// The limits of the value in a text. The caller has to limit the length of the text.
public struct JSONLimits: Sendable {
  /// The deepest nesting of arrays and objects. Reading recurses to this depth, so it must fit the stack of a
  /// thread.
  public var depth: Int
  /// The most values, with arrays and objects among them. Names are not counted.
  public var nodes: Int

  public init(depth: Int = 32, nodes: Int = 4_096) {
    self.depth = depth
    self.nodes = nodes
  }
}
