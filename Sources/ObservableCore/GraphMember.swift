// SPDX-License-Identifier: MIT

/// What a graph owns: a node or an observer, among the members of the graph that was entered when it was made.
public class GraphMember {
  /// The member's place in its graph, if it belongs to one that lives.
  @exclusivity(unchecked) private final var seat: SeatPointer?

  @usableFromInline
  init() { seat = withPropagation { $0.enteredGraph }?._withUnsafeGuaranteedRef { $0.add(self) } }

  deinit { leaveGraph() }

  /// The graph that the member belongs to.
  package final var graph: Graph? { seat?.pointee.graph.takeUnretainedValue() }

  final func leaveGraph() {
    guard let seat else { return }
    self.seat = nil
    seat.pointee.graph._withUnsafeGuaranteedRef { $0.remove(seat) }
  }

  /// Drops every closure and every link, so that no cycle of user code's making survives the graph.
  func tearDown() {}
}
