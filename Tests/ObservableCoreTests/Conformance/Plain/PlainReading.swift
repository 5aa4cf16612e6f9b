// SPDX-License-Identifier: MIT

/// A node that a formula read.
struct PlainReading {
  let node: PlainNode
  /// Whether a reading would give the same now.
  let isCurrent: () -> Bool
}

/// A present reader: a formula that has begun and not ended, or a body, whose readings are no node's inputs.
struct PlainReader {
  let formula: PlainEvaluation?
}

/// A formula that is being evaluated, and the nodes that it read so far.
final class PlainEvaluation {
  let node: PlainNode
  var readings: [PlainReading] = []
  init(of node: PlainNode) { self.node = node }
}

extension PlainSystem {
  var isInFormula: Bool { readers.contains { $0.formula != nil } }

  func isRefreshing(_ node: PlainNode) -> Bool { refreshing.contains { $0 === node } }

  /// Whether a computed is being checked: it is open yet whether it has to be evaluated.
  func isBeingChecked(_ node: PlainNode) -> Bool {
    isRefreshing(node) && !readers.contains { $0.formula?.node === node }
  }

  func namesOfCycle(from node: PlainNode) -> [String] {
    refreshing.drop { $0 !== node }.map(\.name)
  }

  func noteReading(of node: PlainNode, isCurrent: @escaping () -> Bool) {
    readers.last?.formula?.readings.append(PlainReading(node: node, isCurrent: isCurrent))
  }

  /// Evaluates a formula, and gives its readings as well.
  func evaluate<Value>(
    _ node: PlainNode, _ formula: () throws -> Value
  ) -> (Result<Value, any Error>, [PlainReading]) {
    let evaluation = PlainEvaluation(of: node)
    readers.append(PlainReader(formula: evaluation))
    defer { readers.removeLast() }
    return (Result { try formula() }, evaluation.readings)
  }

  /// Runs `body`, whose readings become no inputs.
  func unread<Result>(_ body: () throws -> Result) rethrows -> Result {
    readers.append(PlainReader(formula: nil))
    defer { readers.removeLast() }
    return try body()
  }
}
