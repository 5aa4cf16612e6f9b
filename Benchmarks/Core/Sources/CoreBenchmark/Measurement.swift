// SPDX-License-Identifier: MIT
import ReactiveShapes

/// A row of the table.
struct Measurement {
  let which: Case
  private var contenders: [Framework: Contender] = [:]
  /// The reasons why frameworks are not in the row.
  private(set) var reasons: [Framework: String] = [:]

  /// Measures a case in rounds. In each the frameworks run in turn, so that a slow spell of the machine slows all of them.
  init(of which: Case, in frameworks: [Framework], rounds: Int) throws {
    self.which = which
    for framework in frameworks {
      do {
        switch framework.expression(of: which) {
        case .possible(let make):
          // The observable core runs all iterations, so that the published results are checked.
          let budget = framework == .ours ? nil : Options.budget
          contenders[framework] = try Contender(make(), of: which, within: budget)
        case .none(let reason): reasons[framework] = reason
        }
      } catch let error as WrongResult { throw Failure(which, framework, error) }
    }
    for _ in 0..<rounds {
      for framework in frameworks {
        do { try contenders[framework]?.measure() } catch let error as WrongResult {
          throw Failure(which, framework, error)
        }
      }
    }
  }

  subscript(framework: Framework) -> Contender? { contenders[framework] }

  /// A wrong result, with its place.
  struct Failure: Error, CustomStringConvertible {
    let description: String

    init(_ which: Case, _ framework: Framework, _ error: WrongResult) {
      description = "\(which.rawValue) in \(framework.title) is wrong: \(error)"
    }
  }
}
