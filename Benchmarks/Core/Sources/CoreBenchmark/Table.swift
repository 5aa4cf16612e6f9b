// SPDX-License-Identifier: MIT
import ReactiveShapes

/// The figures as text, in columns.
struct Table {
  private var rows: [[String]]
  private var notes: [String] = []

  init(_ measurements: [Measurement], _ frameworks: [Framework]) {
    let others = frameworks.contains(.ours) ? frameworks.filter { $0 != .ours } : []
    rows = [["case"] + frameworks.map { "\($0.title) ms" } + others.map { "\($0.title)/ours" } + ["per"]]
    for measurement in measurements {
      var row = [measurement.which.rawValue]
      for framework in frameworks {
        let contender = measurement[framework]
        row.append(contender.map { ($0.isScaled ? "~" : "") + digits($0.median) } ?? "–")
      }
      for framework in others {
        let ratio = measurement[framework].flatMap { other in measurement[.ours].map { other.median / $0.median } }
        row.append(ratio.map(digits) ?? "–")
      }
      rows.append(row + ["\(measurement.which.iterations) \(measurement.which.unit)"])
      note(measurement, frameworks)
    }
  }

  private mutating func note(_ measurement: Measurement, _ frameworks: [Framework]) {
    let which = measurement.which
    for framework in frameworks {
      if let contender = measurement[framework], contender.isScaled {
        notes.append(
          "~ \(which.rawValue), \(framework.title): \(contender.iterations) of \(which.iterations) measured, and scaled"
        )
      }
      if let reason = measurement.reasons[framework] {
        notes.append("– \(which.rawValue), \(framework.title): \(reason)")
      }
    }
  }

  var text: String {
    let widths = rows[0].indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
    let lines = rows.map { row in
      row.indices.map { column in
        let padding = String(repeating: " ", count: widths[column] - row[column].count)
        // Nothing follows the last column, so nothing pads it.
        if column == row.count - 1 { return row[column] }
        return column == 0 ? row[column] + padding : padding + row[column]
      }.joined(separator: "  ")
    }
    return (lines + [""] + notes).joined(separator: "\n")
  }
}

/// A number as text, with about three significant digits.
func digits(_ number: Double) -> String {
  let decimals = number < 1 ? 3 : number < 10 ? 2 : number < 100 ? 1 : 0
  var scale = 1.0
  for _ in 0..<decimals { scale *= 10 }
  let scaled = Int((number * scale).rounded())
  if decimals == 0 { return "\(scaled)" }
  let fraction = "\(scaled % Int(scale))"
  return "\(scaled / Int(scale))." + String(repeating: "0", count: decimals - fraction.count) + fraction
}
