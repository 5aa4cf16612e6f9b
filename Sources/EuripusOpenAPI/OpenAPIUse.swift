// SPDX-License-Identifier: MIT
import EuripusServer
import JSONPatching

/// A route's use for the declarations that a path leads to.
struct OpenAPIUse {
  /// A verb, for people.
  let verb: String
  let isPossible: Bool
  /// The schema of its body; `nil` for an empty one.
  let taken: JSONSchema?
  /// The schema of its body as a form; `nil` where it takes none.
  let form: JSONSchema?
  /// The value that it shows.
  let shown: JSONSchema?
  /// The result that the command or the action may have.
  let result: JSONSchema
  let about: [String]
  private let isConditional: Bool
  private let isCommand: Bool
  private let isReadOnly: Bool
  private let isLimited: Bool

  init(_ route: Route, _ leaves: [SurfacePaths.Leaf]) {
    var (shown, results): ([JSONSchema], [JSONSchema]) = ([], [])
    var (isConditional, isReadOnly) = (false, false)
    for leaf in leaves {
      switch leaf.form {
      case .value(let schema, let isWritable, let condition):
        shown.append(schema)
        isReadOnly = isReadOnly || !isWritable
        isConditional = isConditional || condition
      case .secret(let condition): isConditional = isConditional || condition
      case .action(_, let result, let condition):
        if let result { results.append(result) }
        isConditional = isConditional || condition
      case .command(_, let result):
        results.append(result.orNull)
        isConditional = true
      }
    }
    let taken = JSONSchema.anyDifferent(of: leaves.compactMap(\.taken))
    let isCommand = leaves.contains(where: \.isCommand)
    (verb, isPossible) =
      switch route.name {
      case "value": ("Read", !shown.isEmpty)
      case "set": ("Set", taken != nil)
      case "cancel": ("Cancel", isCommand)
      default: ("Perform", true)
      }
    self.taken = route.body == .none ? nil : taken
    // A form's texts are read by the one type that the path's actions take.
    let isOneType = leaves.allSatisfy { $0.taken?.json == leaves.first?.taken?.json }
    form = route.name == "perform" && isOneType ? leaves.first?.asForm : nil
    self.shown = .anyDifferent(of: shown)
    // Only performing waits for the result of a command.
    result = route.name == "perform" ? .anyDifferent(of: results) ?? .null : .null
    about = leaves.compactMap(\.about).reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    isLimited = leaves.contains(where: \.isLimited)
    (self.isConditional, self.isCommand, self.isReadOnly) = (isConditional, isCommand, isReadOnly)
  }

  /// Whether a request of it may meet this problem.
  func canMeet(_ problem: Problem.Kind) -> Bool {
    switch problem {
    case .readOnly: isReadOnly
    case .actionDisabled: isConditional
    case .commandBusy: isCommand
    case .notAllowed: isLimited
    default: true
    }
  }
}
