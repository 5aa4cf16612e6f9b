// SPDX-License-Identifier: MIT
import EuripusCases
import ObservationCases
import OpenCombineCases
import ReactiveShapes

/// A column of the table.
enum Framework: String, CaseIterable {
  case ours
  case openCombine = "opencombine"
  case observation

  var title: String {
    switch self {
    case .ours: "ours"
    case .openCombine: "OpenCombine"
    case .observation: "Observation"
    }
  }

  func expression(of which: Case) -> Expression {
    switch self {
    case .ours: EuripusCases.expression(of: which)
    case .openCombine: OpenCombineCases.expression(of: which)
    case .observation: ObservationCases.expression(of: which)
    }
  }
}
