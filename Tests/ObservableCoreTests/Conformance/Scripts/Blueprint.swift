// SPDX-License-Identifier: MIT
import ObservableCore

/// A graph of integers, as a value: it can be built in every system, and printed.
struct Blueprint {
  enum Part {
    case source(Int)
    case computed(Formula, of: [Int])
    case combiner(CombineStrategy, Formula, of: [Int])
  }

  /// The parts, each of which reads only parts before it.
  var parts: [Part] = []
  /// Inputs that are woven in when all parts are there. Such an input lies after its combiner, so it closes a cycle.
  var lateInputs: [(combiner: Int, input: Int)] = []
  /// The layers. The parts of one layer read none of another.
  var layers: [Range<Int>] = []

  func inputs(of index: Int) -> [Int] {
    switch parts[index] {
    case .source: []
    case .computed(_, let inputs): inputs
    case .combiner(_, _, let inputs): inputs + lateInputs.filter { $0.combiner == index }.map(\.input)
    }
  }

  /// Whether each formula reads the same nodes every time. A formula that throws has not read the rest.
  var isStatic: Bool {
    parts.allSatisfy { part in
      switch part {
      case .source: true
      case .computed(let formula, _), .combiner(_, let formula, _): Formula.static.contains(formula)
      }
    }
  }

  func isComputed(_ index: Int) -> Bool {
    if case .computed = parts[index] { true } else { false }
  }

  func isSource(_ index: Int) -> Bool {
    if case .source = parts[index] { true } else { false }
  }
}

/// The function of a part of its inputs. All results are small, so that equal ones are frequent.
enum Formula {
  case sum, parity, highest, pick, refuse
  /// The two formulas of a cycle. Together they come to `11 * input`, whatever values they began with.
  case digits, same

  static let `static`: [Formula] = [.sum, .parity, .highest]
  static let acyclic: [Formula] = [.sum, .parity, .highest, .pick, .refuse]

  /// - Parameter inputs: closures that read the inputs.
  func value(_ inputs: [() throws -> Int]) throws -> Int {
    switch self {
    case .sum: try inputs.reduce(1) { try ($0 * 3 + $1()) % 17 }
    case .parity: try inputs.reduce(0) { try ($0 + $1()) % 2 }
    case .highest: try inputs.reduce(0) { try max($0, $1()) }
    // The first input decides which of the others it reads.
    case .pick: try inputs[inputs.count < 2 ? 0 : 1 + abs(inputs[0]()) % (inputs.count - 1)]()
    case .refuse:
      try {
        let sum = try inputs.reduce(0) { try $0 + $1() }
        if sum % 5 == 4 { throw Failure("refused \(sum)") }
        return sum % 7
      }()
    case .digits: try abs(inputs[0]()) % 10 * 10 + abs(inputs[1]()) / 10 % 10
    case .same: try inputs[0]()
    }
  }
}

extension Blueprint: CustomStringConvertible {
  var description: String {
    parts.indices.map { index in
      switch parts[index] {
      case .source(let value): "  n\(index) = source \(value)"
      case .computed(let formula, _): "  n\(index) = computed \(formula)\(names(of: index))"
      case .combiner(let strategy, let formula, _): "  n\(index) = combiner \(strategy) \(formula)\(names(of: index))"
      }
    }.joined(separator: "\n")
  }

  private func names(of index: Int) -> String {
    "(\(inputs(of: index).map { "n\($0)" }.joined(separator: ", ")))"
  }
}
