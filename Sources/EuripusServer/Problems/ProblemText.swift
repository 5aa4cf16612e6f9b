// SPDX-License-Identifier: MIT
import JSONPatching

/// The pages of problems as text, for a terminal.
enum ProblemText {
  static func page(_ kind: Problem.Kind) -> String {
    """
    \(kind.title) (\(kind.status) \(kind.rawValue))

    \(kind.meaning.why)

    What to do: \(kind.meaning.remedy)

    What it looks like:
    \(kind.example.json.indented)

    """
  }

  static func list() -> String {
    let width = Problem.Kind.allCases.map(\.path.count).max() ?? 0
    return Problem.Kind.allCases.map { kind in
      "\(kind.status) \(kind.path)\(String(repeating: " ", count: width - kind.path.count))  \(kind.title)\n"
    }.joined()
  }
}
