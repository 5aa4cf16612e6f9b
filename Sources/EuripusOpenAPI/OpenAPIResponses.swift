// SPDX-License-Identifier: MIT
import EuripusServer
import JSONPatching

/// The responses that are problems. Those with one status form a group, which stands here once under a name of its own.
struct OpenAPIResponses {
  private(set) var all: [JSON.Member] = []

  /// The problems as members of an operation's responses, in the order of their status.
  ///
  /// - Parameter hasTag: whether the resource has an entity tag.
  mutating func members(_ kinds: [Problem.Kind], hasTag: Bool) -> [JSON.Member] {
    let byStatus = Dictionary(grouping: Problem.Kind.allCases.filter(kinds.contains), by: \.status)
    return byStatus.sorted { $0.key < $1.key }.map { status, kinds in
      let isUntagged = kinds.contains(.versionMoved) && !hasTag
      let name = kinds.map(\.rawValue).joined(separator: ".") + (isUntagged ? ".untagged" : "")
      if !all.contains(where: { $0.name == name }) {
        all.append(JSON.Member(name: name, value: Self.response(kinds, isUntagged ? [] : Self.fields(kinds))))
      }
      return JSON.Member(name: "\(status)", value: ["$ref": .string("#/components/responses/\(name)")])
    }
  }

  /// - Parameter kinds: the kinds of one status.
  private static func response(_ kinds: [Problem.Kind], _ fields: [AnswerField]) -> JSON {
    let examples = kinds.map { kind in
      JSON.Member(name: kind.rawValue, value: ["summary": .string(kind.title), "value": kind.example.json])
    }
    var members: [JSON.Member] = [
      JSON.Member(
        name: "description", value: .string(kinds.map { "`\($0.rawValue)`: \($0.title)." }.joined(separator: " ")))
    ]
    if !fields.isEmpty { members.append(JSON.Member(name: "headers", value: .object(fields.map(\.reference)))) }
    members.append(
      JSON.Member(
        name: "content",
        value: [
          "application/problem+json": ["schema": SchemaShelf.reference("Problem").json, "examples": .object(examples)]
        ]))
    return .object(members)
  }

  private static func fields(_ kinds: [Problem.Kind]) -> [AnswerField] {
    switch kinds.first?.status {
    case 401: [.wwwAuthenticate]
    case 412: [.etag]
    case 429, 503: [.retryAfter]
    default: []
    }
  }
}
