// SPDX-License-Identifier: MIT
import JSONPatching

extension ModelTypes {
  /// The types in TypeScript, a module that imports nothing.
  ///
  /// - Parameter command: the command line that prints it, for the first line.
  package func typeScript(command: String) -> String {
    var text = TypeScriptText()
    text.line("// The types of the view model \"\(name)\": printed by `\(command)`.")
    if definitions.contains(where: { $0.uses { if case .rows = $0 { true } else { false } } }) {
      text.block(
        "Rows by their keys, and the keys in their order.",
        "export interface RemoteRows<Row> { order: string[]; items: Record<string, Row> }")
    }
    if definitions.contains(where: { $0.uses { if case .rows(_, true) = $0 { true } else { false } } }) {
      text.block(
        "The rows that are shown, of `count` that there are.",
        "export interface RemoteWindow<Row> extends RemoteRows<Row> { count: number; window: { first: number; count: number } }"
      )
    }
    if definitions.contains(where: { $0.uses { if case .command = $0 { true } else { false } } }) {
      text.block(
        "A command, with the result or the error of its last run.",
        "export interface RemoteCommand<Result> { enabled: boolean; executing: boolean; progress: number | null;",
        "  result: Result | null; error: { type: string; detail: string } | null }")
    }
    for definition in definitions { text.definition(definition) }
    text.union(
      "\(base)Value", "The values that may be written, each with what it takes.",
      values.map { "{ path: \(TypeScriptText.path($0.path)); takes: \(text.type($0.takes)) }" })
    text.union(
      "\(base)Action", "The actions, each with what it takes and what it gives.",
      actions.map { action in
        let result = action.result.map { text.type(.optional($0.present)) } ?? "null"
        return "{ path: \(TypeScriptText.path(action.path)); takes: \(text.type(action.takes)); result: \(result) }"
      })
    text.union(
      "\(base)Problem", "The kinds of problems: the last part of a problem's `type`.", problems.map { "\"\($0)\"" })
    text.block(
      about ?? "The view model \"\(name)\".", "export interface \(base)Model {", "  name: \"\(name)\";",
      "  params: \(text.type(params));", "  state: \(state);", "  value: \(base)Value;", "  action: \(base)Action;",
      "  problem: \(base)Problem;", "}")
    return text.text
  }
}

extension ModelTypes.Definition {
  /// Whether `isSo` holds for the shape, or for a part of it at any depth.
  func uses(_ isSo: (TypeShape) -> Bool) -> Bool {
    func look(_ shape: TypeShape) -> Bool { isSo(shape) || shape.parts.contains(where: look) }
    return look(shape)
  }
}

/// A text in TypeScript.
struct TypeScriptText {
  private(set) var text = ""

  mutating func line(_ line: String) { text += line + "\n" }

  /// Lines below a comment, after an empty line.
  mutating func block(_ about: String?, _ lines: String...) {
    line("")
    if let about { line(Self.comment(about)) }
    for each in lines { line(each) }
  }

  mutating func definition(_ definition: ModelTypes.Definition) {
    guard case .object(let members) = definition.shape else {
      return block(definition.about, "export type \(definition.name) = \(type(definition.shape));")
    }
    block(definition.about, "export interface \(definition.name) {")
    for member in members {
      if let about = member.about { line("  " + Self.comment(about)) }
      line("  \(property(member));")
    }
    line("}")
  }

  mutating func union(_ name: String, _ about: String, _ variants: [String]) {
    if variants.isEmpty { return block(about, "export type \(name) = never;") }
    block(about, "export type \(name) =")
    for (index, variant) in variants.enumerated() { line("  | \(variant)\(index == variants.count - 1 ? ";" : "")") }
  }

  /// - Parameter shape: `nil` for no value.
  func type(_ shape: TypeShape?) -> String {
    switch shape {
    case nil: "undefined"
    case .any?: "unknown"
    case .null?: "null"
    case .boolean?: "boolean"
    case .integer?, .number?: "number"
    case .text?: "string"
    case .constant(let value)?: "\(value)"
    case .oneOf(let values)?: values.map { "\($0)" }.joined(separator: " | ")
    case .optional(let shape)?: "\(type(shape)) | null"
    case .list(let shape)?: "Array<\(type(shape))>"
    case .dictionary(let shape)?: "Record<string, \(type(shape))>"
    case .object(let members)?: "{ \(members.map(property).joined(separator: "; ")) }"
    case .union(let shapes, _)?: shapes.map(type).joined(separator: " | ")
    case .named(let name)?: name
    case .rows(let row, let hasWindow)?: "\(hasWindow ? "RemoteWindow" : "RemoteRows")<\(type(row))>"
    case .command(let result)?: "RemoteCommand<\(type(result))>"
    }
  }

  /// A path as a type of texts: any text in the place of a key.
  static func path(_ path: String) -> String {
    if !path.contains("{") { return "\"\(path)\"" }
    let segments = path.split(separator: "/").map { $0.hasPrefix("{") ? "${string}" : String($0) }
    return "`\(segments.joined(separator: "/"))`"
  }

  private func property(_ member: TypeShape.Member) -> String {
    let name = member.name
    let isPlain = name.utf8.allSatisfy { $0 < 128 } && name.wholeMatch(of: #/[A-Za-z_$][A-Za-z0-9_$]*/#) != nil
    return "\(isPlain ? name : "\(JSON.string(name))")\(member.isOptional ? "?" : ""): \(type(member.shape))"
  }

  private static func comment(_ text: String) -> String { "/** \(text.replacing("*/", with: "* /")) */" }
}
