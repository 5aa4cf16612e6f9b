// SPDX-License-Identifier: MIT

/// A graph's nodes and their dependencies at one moment, for a picture of it (S0-D5).
public struct Topology {
  /// A node as it was at that moment.
  public struct Node {
    /// The number of the node, from 0, in the order of making.
    public let id: Int
    /// The node's name and place.
    public let origin: Origin
    /// `observable`, `combiner`, `computed` or `event`.
    public let kind: String
    /// The present value in words; `nil` for an event, and for a computed that never ran.
    public let value: String?
    /// The number of observers that are told of its changes.
    public let observers: Int
  }

  /// A dependency of one node on another.
  public struct Edge: Equatable, Sendable {
    /// The `id` of the input, and of its dependent.
    public let from, to: Int
  }

  /// The graph's nodes in the order of their making, then those of their inputs that do not belong to it.
  public let nodes: [Node]
  /// Each link from an input to its dependent.
  public let edges: [Edge]
}

extension Graph {
  /// The present nodes and their links. Inputs that belong to no graph, or to another, are shown too.
  ///
  /// Nothing is computed for it: a computed shows its present value. O(nodes and links).
  public var topology: Topology {
    var numbers: [ObjectIdentifier: Int] = [:]
    var all: [Node] = []
    for node in nodes {
      numbers[ObjectIdentifier(node)] = all.count
      all.append(node)
    }
    var edges: [Topology.Edge] = []
    var index = 0
    while index < all.count {
      for input in all[index].inputs {
        let id = ObjectIdentifier(input)
        if numbers[id] == nil {
          numbers[id] = all.count
          all.append(input)
        }
        edges.append(Topology.Edge(from: numbers[id] ?? 0, to: index))
      }
      index += 1
    }
    let nodes = all.enumerated().map { id, node in
      Topology.Node(
        id: id, origin: node.origin, kind: node.kind, value: node.has(.fresh) ? nil : node.describe(),
        observers: node.observerCount)
    }
    return Topology(nodes: nodes, edges: edges)
  }
}

extension Node {
  fileprivate var kind: String {
    if has(.computed) { return "computed" }
    if has(.combiner) { return "combiner" }
    return has(.event) ? "event" : "observable"
  }
}
