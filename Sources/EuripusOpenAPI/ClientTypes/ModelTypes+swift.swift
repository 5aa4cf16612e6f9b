// SPDX-License-Identifier: MIT

extension ModelTypes {
  /// The types in Swift: a class whose observables mirror a session, and whose methods are the actions. It imports the package
  /// of `Examples/Clients/Swift`.
  ///
  /// - Parameter command: the command line that prints it, for the first line.
  package func swift(command: String) -> String {
    var text = SwiftText(self)
    text.line("// The view model \"\(name)\" as its clients have it: printed by `\(command)`.")
    text.line("import EuripusClient")
    text.line("import EuripusMirror")
    text.line("import Foundation")
    text.line("import ObservableCore")
    text.line()
    text.comment(about, indent: "")
    text.line("@MainActor final class Remote\(base) {")
    text.line("  let remote: Remote<\(state)>")
    text.line("  init(_ remote: Remote<\(state)>) { self.remote = remote }")
    text.line()
    open(&text)
    observables(&text)
    for place in values { writing(place, &text) }
    for action in actions { action.isCommand ? running(action, &text) : performing(action, &text) }
    text.line("}")
    text.line()
    text.line("extension Remote\(base) {")
    text.line("  enum Problem: String, ProblemKind {")
    text.cases(problems)
    text.line("  }")
    for definition in definitions { text.definition(definition) }
    text.line("}")
    return text.text
  }

  private func open(_ text: inout SwiftText) {
    let (declared, given) = params.map { (", params: \(text.type($0))", ", params: params") } ?? ("", "")
    text.comment("Opens a session.")
    text.line("  static func open(at server: URL\(declared)) async throws -> Remote\(base) {")
    text.line("    Remote\(base)(try await Remote(opening: \"\(name)\", at: server\(given)))")
    text.line("  }")
  }

  private func observables(_ text: inout SwiftText) {
    guard case .object(let members)? = definitions.first(where: { $0.name == state })?.shape else { return }
    text.line()
    for (name, member) in zip(SwiftName.all(of: members.map(\.name)), members) {
      text.comment(member.about)
      text.line("  private(set) lazy var \(name) = remote.value(\\.\(name))")
    }
  }

  private func writing(_ place: Place, _ text: inout SwiftText) {
    guard let takes = place.takes else { return }
    let name = SwiftName.of(path: place.path)
    text.line()
    text.line("  func set(\(name) value: \(text.type(takes))\(Self.keys(place))) async throws {")
    text.line("    try await remote.set(\(Self.path(place)), value)")
    text.line("  }")
  }

  private func performing(_ action: Place, _ text: inout SwiftText) {
    let value = action.takes.map { "_ value: \(text.type($0))" }
    let (give, result) = action.result.map { (" -> \(text.type(.optional($0.present)))", ".decoded()") } ?? ("", "")
    text.line()
    text.comment(action.about)
    if action.result != nil { text.line("  @discardableResult") }
    text.line("  func \(SwiftName.of(path: action.path))(\(Self.parameters(value, action))) async throws\(give) {")
    text.line("    try await remote.perform(\(Self.path(action))\(value == nil ? "" : ", value"))\(result)")
    text.line("  }")
  }

  private func running(_ command: Place, _ text: inout SwiftText) {
    let value = command.takes.map { "_ value: \(text.type($0))" }
    let (give, result) = command.result.map { (" -> \(text.type(.optional($0.present)))", ".decoded()") } ?? ("", "")
    let wait = "wait seconds: Int = 0"
    let name = SwiftName.of(path: command.path)
    text.line()
    text.comment(command.about)
    if command.result != nil { text.line("  @discardableResult") }
    text.line("  func \(name)(\(Self.parameters(value, command, wait))) async throws\(give) {")
    text.line(
      "    try await remote.perform(\(Self.path(command))\(value == nil ? "" : ", value"), wait: seconds)\(result)")
    text.line("  }")
    let cancel = "cancel" + SchemaName.of(name.filter { $0 != "`" })
    text.line("  func \(cancel)(\(Self.parameters(nil, command))) async throws {")
    text.line("    try await remote.cancel(\(Self.path(command)))")
    text.line("  }")
  }

  // MARK: Keys

  private static func keyNames(_ place: Place) -> [String] {
    place.path.split(separator: "/").filter { $0.hasPrefix("{") }.map { String($0.dropFirst().dropLast()) }
  }

  private static func keys(_ place: Place) -> String { keyNames(place).map { ", \($0): String" }.joined() }

  private static func parameters(_ value: String?, _ place: Place, _ more: String...) -> String {
    let keys = keyNames(place).map { "\($0): String" }
    return ([value].compactMap(\.self) + keys + more).joined(separator: ", ")
  }

  /// A path as a literal, with the keys in it.
  private static func path(_ place: Place) -> String {
    let segments = place.path.split(separator: "/").map { segment in
      segment.hasPrefix("{") ? "\\(step: \(segment.dropFirst().dropLast()))" : String(segment)
    }
    return "\"\(segments.joined(separator: "/"))\""
  }
}
