// SPDX-License-Identifier: MIT
import EuripusCases
import Glibc
import ReactiveShapes

// Runs one case in the observable core, for callgrind to count: `core-instructions CASE ITERATIONS`.
// With 0 iterations it does everything but the iterations, so the difference of two counts is the cost of the iterations.
let arguments = CommandLine.arguments
guard arguments.count == 3, let which = Case(rawValue: arguments[1]), let iterations = Int(arguments[2]),
  case .possible(let make) = EuripusCases.expression(of: which)
else {
  printError("Usage: core-instructions CASE ITERATIONS, where CASE is one of: \(Case.allCases.map(\.rawValue))")
  exit(2)
}
let shape = try make()
try shape.warmUp()
_ = try shape.run(iterations)
