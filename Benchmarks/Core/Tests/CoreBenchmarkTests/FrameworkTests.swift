// SPDX-License-Identifier: MIT
import EuripusCases
import ObservationCases
import OpenCombineCases
import ReactiveShapes
import Testing

/// The cases of each framework give right results, which the shapes check. One test runs at a time, as the frameworks
/// have one thread.
@Suite(.serialized) struct `The frameworks` {
  @Test(arguments: Case.allCases) func `the observable core gives the results of all of them`(_ which: Case) throws {
    let expression = EuripusCases.expression(of: which)
    guard case .possible = expression else {
      Issue.record("\(which) is not expressed")
      return
    }
    try run(expression, which)
  }

  @Test(arguments: Case.allCases) func `Observation gives the results of what it expresses`(_ which: Case) throws {
    try run(ObservationCases.expression(of: which), which)
  }

  @Test(arguments: Case.allCases) func `OpenCombine gives the results of what it expresses`(_ which: Case) throws {
    try run(OpenCombineCases.expression(of: which), which)
  }

  private func run(_ expression: Expression, _ which: Case) throws {
    switch expression {
    case .none(let reason): #expect(!reason.isEmpty)
    case .possible(let make): #expect(try make().run(which == .dynamic1000x5 || which == .mux ? 1 : 5) > .zero)
    }
  }
}
