// SPDX-License-Identifier: MIT

/// What a graph owns: a node or an observer, in the list of the graph that was entered when it was made.
public class GraphMember {
  /// The graph forgets its members when it goes, so this never dangles.
  @exclusivity(unchecked) final unowned(unsafe) var graph: Graph?
  /// The member's place in its graph.
  @exclusivity(unchecked) final var slot: UInt32 = 0

  @usableFromInline
  init() { withPropagation { $0.enteredGraph }?.insert(self) }

  deinit { graph?.remove(self) }

  /// Drops every closure and every link, so that no cycle of user code's making survives the graph.
  func tearDown() {}
}
