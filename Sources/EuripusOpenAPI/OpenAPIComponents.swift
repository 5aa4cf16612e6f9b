// SPDX-License-Identifier: MIT
import JSONPatching

/// The components that a description needs: those that its paths lead to, and no others.
struct OpenAPIComponents {
  private let all: JSON

  /// - Parameter all: all components, by kind (such as `schemas`) and by name.
  init(_ all: JSON) { self.all = all }

  func needed(by paths: JSON) -> JSON {
    var needed: Set<String> = []
    var next = Self.references(in: paths)
    while let reference = next.popLast() {
      guard needed.insert(reference).inserted else { continue }
      let names = reference.split(separator: "/").suffix(2).map(String.init)
      if names.count == 2, let component = all[names[0]]?[names[1]] {
        next += Self.references(in: component)
      }
    }
    guard case .object(let kinds) = all else { return all }
    return .object(
      kinds.map { kind in
        guard case .object(let components) = kind.value else { return kind }
        let kept = components.filter { needed.contains("#/components/\(kind.name)/\($0.name)") }
        return JSON.Member(name: kind.name, value: .object(kept))
      })
  }

  private static func references(in json: JSON) -> [String] {
    switch json {
    case .string(let text): text.hasPrefix("#/components/") ? [text] : []
    case .array(let elements): elements.flatMap(references)
    case .object(let members): members.flatMap { references(in: $0.value) }
    case .null, .bool, .integer, .number: []
    }
  }
}
