// SPDX-License-Identifier: MIT
import ReactiveShapes

/// The options of the command line.
struct Options {
  static let help = """
    Measures the observable core, and OpenCombine and Swift's Observation beside it, with the shapes of
    js-reactivity-benchmark. Every result is checked; a wrong one stops the run.

    Usage: core-benchmark [--case NAME]... [--only FRAMEWORK] [--rounds N] [--json FILE]
           core-benchmark --instructions CASE

      --case NAME          Measure this case only; may be repeated.
      --only FRAMEWORK     Measure this framework only: \(names(of: Framework.self)).
      --rounds N           Take the median of N rounds, in each of which the frameworks run in turn. \(defaultRounds) by default.
      --json FILE          Write the figures there as well.
      --instructions CASE  Run one case once, ours, without timing, for valgrind --tool=callgrind.
                           The target core-instructions does it without building the other frameworks.
      --help               Print this.

    Figures are milliseconds of processor time. Another framework that would take more than \(budget) for a
    measurement gets fewer iterations, and its figure is scaled to all of them; the table marks it with a tilde.

    Cases: \(Case.allCases.map(\.rawValue).joined(separator: ", ")).
    """

  static let defaultRounds = 5
  /// The time that one measurement of another framework may take.
  static let budget = Duration.milliseconds(600)

  var cases: [Case] = []
  var frameworks = Framework.allCases
  var rounds = defaultRounds
  var json: String?
  var instructions: Case?
  var wantsHelp = false

  init(_ arguments: [String]) throws {
    var rest = arguments[...]
    while let option = rest.popFirst() {
      if option == "--help" || option == "-h" {
        wantsHelp = true
        return
      }
      guard ["--case", "--only", "--rounds", "--json", "--instructions"].contains(option) else {
        throw UsageError("There is no option '\(option)'")
      }
      guard let value = rest.popFirst() else { throw UsageError("'\(option)' needs a value") }
      switch option {
      case "--case": cases.append(try Self.named(value, "case"))
      case "--only": frameworks = [try Self.named(value, "framework")]
      case "--json": json = value
      case "--instructions": instructions = try Self.named(value, "case")
      default:
        guard let count = Int(value), count > 0 else {
          throw UsageError("--rounds takes a number from 1 up, and '\(value)' came")
        }
        rounds = count
      }
    }
    if cases.isEmpty { cases = Case.allCases }
  }

  private static func named<Choice: RawRepresentable<String> & CaseIterable>(
    _ name: String, _ what: String
  ) throws -> Choice {
    if let choice = Choice(rawValue: name) { return choice }
    throw UsageError("There is no \(what) '\(name)'; there are: \(names(of: Choice.self))")
  }

  private static func names<Choice: RawRepresentable<String> & CaseIterable>(of _: Choice.Type) -> String {
    Choice.allCases.map(\.rawValue).joined(separator: ", ")
  }
}

/// A command line that cannot be followed.
struct UsageError: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}
