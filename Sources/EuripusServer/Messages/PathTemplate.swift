// SPDX-License-Identifier: MIT
import ObservableCore

/// The form of a path, such as `/sessions/{model}/{id}/actions/{path}` (PROTOCOL §1).
///
/// `{model}`, `{id}` and `{name}` stand for one segment each, which is not empty. `{path}` at the end stands
/// for one or more segments, which may be empty. The paths of an app's routes have parameters with names of
/// their own instead.
package struct PathTemplate: Sendable, Hashable {
  enum Part: Hashable {
    case literal(String)
    case model, id, name
    case rest
    /// A parameter of an app's route, with the text around it. Its value is not empty.
    case parameter(String, before: String, after: String)
  }

  package let text: String
  let parts: [Part]
  private let endsWithRest: Bool

  init(_ text: String) {
    let parts: [Part] = text.dropFirst().split(separator: "/").map { part in
      switch part {
      case "{model}": .model
      case "{id}": .id
      case "{name}": .name
      case "{path}": .rest
      default: .literal(String(part))
      }
    }
    if parts.dropLast().contains(.rest) { stopProgram(bug: "{path} is not at the end of the template \(text)") }
    self.init(text: text, parts: parts)
  }

  init(text: String, parts: [Part]) {
    (self.text, self.parts) = (text, parts)
    endsWithRest = parts.last == .rest
  }

  /// The first segment of every path of this form; `nil` if it may be any text.
  var firstSegment: String? { if case .literal(let text)? = parts.first { text } else { nil } }

  /// Whether paths of this form belong to a view model, and whether they belong to one session.
  package var isOfModel: Bool { parts.contains(.model) }
  var isInSession: Bool { parts.contains(.id) }

  /// The open parts of a path.
  struct Match: Equatable {
    var model = ""
    /// The id of a session. Any text that is not empty may stand here.
    var id = ""
    var name = ""
    var rest: ArraySlice<String> = []
    /// The values of an app's parameters, by their names.
    var parameters: [String: String] = [:]

    /// The rest as reference tokens of a JSON Pointer, unescaped (RFC 6901 §4).
    var tokens: [String] {
      rest.map { token in
        let isEscaped = token.utf8.contains(UInt8(ascii: "~"))
        return isEscaped ? token.replacing("~1", with: "/").replacing("~0", with: "~") : token
      }
    }
  }

  /// The open parts of a path; `nil` if the path is not of this form.
  func match(_ segments: [String]) -> Match? {
    guard endsWithRest ? segments.count >= parts.count : segments.count == parts.count else { return nil }
    var match = Match()
    for (part, segment) in zip(parts, segments) {
      switch part {
      case .literal(let text) where segment == text: break
      case .model where !segment.isEmpty: match.model = segment
      case .id where !segment.isEmpty: match.id = segment
      case .name where !segment.isEmpty: match.name = segment
      case .rest: match.rest = segments[(parts.count - 1)...]
      case .parameter(let name, let before, let after):
        guard let value = Self.value(of: segment, before, after) else { return nil }
        match.parameters[name] = value
      default: return nil
      }
    }
    return match
  }

  /// The text between two others; `nil` if there is none. It compares bytes, since a mark that combines with
  /// its neighbour makes another character.
  private static func value(of segment: String, _ before: String, _ after: String) -> String? {
    let bytes = segment.utf8
    guard bytes.count > before.utf8.count + after.utf8.count, bytes.starts(with: before.utf8),
      bytes.suffix(after.utf8.count).elementsEqual(after.utf8)
    else { return nil }
    return String(Substring(bytes.dropFirst(before.utf8.count).dropLast(after.utf8.count)))
  }
}
