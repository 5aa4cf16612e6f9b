// SPDX-License-Identifier: MIT

/// What a transaction can fail with of its own.
public enum ObservableError: Error, CustomStringConvertible {
  /// The named nodes or observers kept changing each other: a cycle that no cut-off stops (S0-22).
  case unsettled(_ nodes: [String], rounds: Int)
  /// Several handlers threw, in this order.
  case several([any Error])

  public var description: String {
    switch self {
    case .unsettled(let nodes, let rounds):
      """
      did not settle in \(rounds) rounds: \(nodes.joined(separator: " -> ")) keep changing each other; \
      expected every cycle to come to values that its cut-offs hold to be equal
      """
    case .several(let errors): errors.map { String(describing: $0) }.joined(separator: "; ")
    }
  }
}
