// SPDX-License-Identifier: MIT

/// What a graph owns: a node or an observer, linked into the list of the graph that was entered when it was made.
public class GraphMember {
  final weak var graph: Graph?
  final unowned(unsafe) var previous: GraphMember?
  final unowned(unsafe) var next: GraphMember?

  init() {
    if let graph = Propagation.current.enteredGraph { graph.insert(self) }
  }

  deinit { graph?.remove(self) }

  /// Drops every closure and every link, so that no cycle of user code's making survives the graph.
  func tearDown() {}
}
