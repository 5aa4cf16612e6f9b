// SPDX-License-Identifier: MIT
import ObservableCore

/// The fields of a surface, each with its rules.
struct FieldRules<Model: AnyObject>: Sendable {
  /// One field, whatever the type of its value.
  struct Entry: Sendable {
    let field: @Sendable (Model) -> any AnyField
    /// The observable of its value, by which a field finds its rules.
    let content: @Sendable (Model) -> Node
    /// The message of the first rule that its value breaks.
    let firstBroken: @Sendable (Model) -> String?
  }

  let entries: [Entry]

  func fields(of model: Model) -> [any AnyField] { entries.map { $0.field(model) } }

  /// Whether the values of all fields keep their rules.
  func areKept(by model: Model) -> Bool { entries.allSatisfy { $0.firstBroken(model) == nil } }

  func firstBroken(by content: Node, of model: Model) -> String? {
    guard let entry = entries.first(where: { $0.content(model) === content }) else {
      stopProgram(
        "\(content.origin): a field of \(Model.self) is not on its surface, which has the rules of it",
        expected: "an entry for it there, and the same field each time",
        remedy:
          "write '.field(\"name\", \\.name, …)' on the surface, and 'lazy var name = Field(self, …)', which is made once"
      )
    }
    return entry.firstBroken(model)
  }
}

/// A field, whatever the type of its value.
protocol AnyField: AnyObject {
  func touch()
  func forgetRefusal()
}
