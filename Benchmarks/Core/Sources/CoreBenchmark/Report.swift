// SPDX-License-Identifier: MIT
import Glibc
import ReactiveShapes

/// The figures as JSON.
struct Report {
  let measurements: [Measurement]
  let rounds: Int
  let bytes: PairBytes?

  /// The text of the file. It is written by hand, as a general encoder would be most of the program.
  var text: String {
    let rows = measurements.map { "    " + object(fields(of: $0), separator: ", ") }.joined(separator: ",\n")
    let all: [(String, String)] = [
      ("date", string(Machine.date)),
      ("machine", string(Machine.description)),
      ("rounds", "\(rounds)"),
      ("bytes_observable_observer", bytes.map { number($0.requested) } ?? "null"),
      ("usable_bytes_observable_observer", bytes.map { number($0.usable) } ?? "null"),
      ("allocations_observable_observer", bytes.map { number($0.allocations) } ?? "null"),
      ("cases", "[\n\(rows)\n  ]"),
    ]
    return object(all, separator: ",\n  ", around: ("{\n  ", "\n}\n"))
  }

  /// The fields of one case: each framework's median, its spread, and its number of measured iterations.
  private func fields(of measurement: Measurement) -> [(String, String)] {
    var fields = [
      ("name", string(measurement.which.rawValue)),
      ("per", string("\(measurement.which.iterations) \(measurement.which.unit)")),
    ]
    // Null, not left out: the framework cannot express the case, or was not asked for.
    fields += Framework.allCases.map { ("\($0.rawValue)_ms", measurement[$0].map { number($0.median) } ?? "null") }
    for framework in Framework.allCases {
      let name = framework.rawValue
      if let contender = measurement[framework] {
        fields.append(("\(name)_spread", number(contender.spread)))
        fields.append(("\(name)_measured", "\(contender.iterations)"))
      }
      if let reason = measurement.reasons[framework] { fields.append(("\(name)_why_null", string(reason))) }
    }
    return fields
  }

  private func object(
    _ fields: [(String, String)], separator: String, around ends: (String, String) = ("{", "}")
  ) -> String {
    ends.0 + fields.map { "\(string($0)): \($1)" }.joined(separator: separator) + ends.1
  }

  private func number(_ number: Double) -> String { "\((number * 10_000).rounded() / 10_000)" }

  /// A string as JSON. It has no control characters, as no string of the report has any.
  private func string(_ text: String) -> String {
    "\"" + text.map { $0 == "\"" || $0 == "\\" ? "\\\($0)" : "\($0)" }.joined() + "\""
  }

  func write(to path: String) throws {
    guard let file = fopen(path, "w") else {
      throw NotWritten(description: "'\(path)' cannot be written: \(String(cString: strerror(errno)))")
    }
    let isWritten = fputs(text, file) >= 0
    guard fclose(file) == 0, isWritten else { throw NotWritten(description: "'\(path)' was not written whole") }
  }
}

/// A file that could not be written.
struct NotWritten: Error, CustomStringConvertible {
  let description: String
}
