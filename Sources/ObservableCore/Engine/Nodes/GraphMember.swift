// SPDX-License-Identifier: MIT

/// A member of a graph: a node or an observer. It belongs to the graph that was entered when it was made.
public class GraphMember {
  /// The member's place in its graph; `nil` if it belongs to no living graph.
  private final var seat: SeatPointer?

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

  /// Has its graph count the bytes of this text, which no client reads.
  final func countAsSecret() {
    guard let seat else { return }
    graph?.noteSecret(at: seat)
  }

  /// Drops every closure and every link, so that no cycle that user code made survives the graph.
  func tearDown() {}
}
