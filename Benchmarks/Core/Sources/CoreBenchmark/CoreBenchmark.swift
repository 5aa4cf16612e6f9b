// SPDX-License-Identifier: MIT
import Glibc
import ReactiveShapes

/// The command.
@main enum CoreBenchmark {
  static func main() {
    do {
      let options = try Options(Array(CommandLine.arguments.dropFirst()))
      if options.wantsHelp { return print(Options.help) }
      if let which = options.instructions { return try runOnce(which) }
      try measure(options)
    } catch let error as UsageError {
      printError("\(error)\n'core-benchmark --help' lists what there is.")
      exit(2)
    } catch {
      printError("\(error)")
      exit(1)
    }
  }

  private static func measure(_ options: Options) throws {
    var measurements: [Measurement] = []
    for (position, which) in options.cases.enumerated() {
      printError("\(position + 1)/\(options.cases.count) \(which.rawValue)")
      measurements.append(try Measurement(of: which, in: options.frameworks, rounds: options.rounds))
    }
    let bytes = options.frameworks.contains(.ours) ? PairBytes.measure() : nil
    print(Table(measurements, options.frameworks).text)
    if let bytes {
      print(
        "One observable of Int with one observer: \(digits(bytes.requested)) bytes requested in "
          + "\(digits(bytes.allocations)) allocations, \(digits(bytes.usable)) set aside")
    }
    if let path = options.json {
      try Report(measurements: measurements, rounds: options.rounds, bytes: bytes).write(to: path)
      printError("Written to \(path)")
    }
  }

  private static func runOnce(_ which: Case) throws {
    if case .possible(let make) = Framework.ours.expression(of: which) { _ = try make().run(which.iterations) }
  }
}
