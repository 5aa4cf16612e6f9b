// SPDX-License-Identifier: MIT

extension ModelTypes {
  /// The types in Swift: a class whose observables mirror a session, and whose methods are the actions. It imports
  /// the package of `Examples/Clients/Swift`.
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
    var members: [TypeShape.Member] = []
    if case .object(let found)? = definitions.first(where: { $0.name == state })?.shape { members = found }
    let names = SwiftMembers(members.map(\.name), values: values, actions: actions)
    observables(members, names, &text)
    if values.contains(where: { $0.takes != nil && names.labels[$0.path] != nil }) { text.line() }
    for place in values { writing(place, names, &text) }
    if actions.contains(where: { names.methods[$0.path] != nil }) { text.line() }
    for action in actions { performing(action, names, &text) }
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
    text.method(
      "static func open(at server: URL\(declared)) async throws -> Remote\(base)",
      "Remote\(base)(try await Remote(opening: \"\(name)\", at: server\(given)))")
  }

  private func observables(_ members: [TypeShape.Member], _ names: SwiftMembers, _ text: inout SwiftText) {
    if members.isEmpty { return }
    text.line()
    for (name, member) in zip(names.observables, members) {
      text.comment(member.about)
      text.line("  private(set) lazy var \(name) = remote.value(\\.\(name))")
    }
  }

  private func writing(_ place: Place, _ names: SwiftMembers, _ text: inout SwiftText) {
    guard let takes = place.takes, let name = names.labels[place.path] else { return }
    text.method(
      "func set(\(name) value: \(text.type(takes))\(Self.keys(place))) async throws",
      "try await remote.set(\(Self.path(place)), value)")
  }

  private func performing(_ action: Place, _ names: SwiftMembers, _ text: inout SwiftText) {
    guard let name = names.methods[action.path] else { return }
    let value = action.takes.map { "_ value: \(text.type($0))" }
    let (give, result) = action.result.map { (" -> \(text.type(.optional($0.present)))", ".decoded()") } ?? ("", "")
    let wait = action.isCommand ? "wait seconds: Int = 0" : nil
    text.comment(action.about)
    if action.result != nil { text.line("  @discardableResult") }
    let arguments = (value == nil ? "" : ", value") + (wait == nil ? "" : ", wait: seconds")
    text.method(
      "func \(name)(\(Self.parameters(value, action, wait))) async throws\(give)",
      "try await remote.perform(\(Self.path(action))\(arguments))\(result)")
    guard let cancel = names.cancels[action.path] else { return }
    text.method(
      "func \(cancel)(\(Self.parameters(nil, action, nil))) async throws",
      "try await remote.cancel(\(Self.path(action)))")
  }

  // MARK: Keys

  private static func keyNames(_ place: Place) -> [String] {
    place.path.split(separator: "/").filter { $0.hasPrefix("{") }.map { String($0.dropFirst().dropLast()) }
  }

  private static func keys(_ place: Place) -> String { keyNames(place).map { ", \($0): String" }.joined() }

  private static func parameters(_ value: String?, _ place: Place, _ wait: String?) -> String {
    let keys = keyNames(place).map { "\($0): String" }
    return ([value] + keys + [wait]).compactMap(\.self).joined(separator: ", ")
  }

  /// A path as a literal, with the keys in it.
  private static func path(_ place: Place) -> String {
    let segments = place.path.split(separator: "/").map { segment in
      segment.hasPrefix("{") ? "\\(step: \(segment.dropFirst().dropLast()))" : String(segment)
    }
    return "\"\(segments.joined(separator: "/"))\""
  }
}
