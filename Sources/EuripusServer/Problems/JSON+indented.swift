// SPDX-License-Identifier: MIT
import JSONPatching

extension JSON {
  /// The value as text for people, with a line for each member and element.
  package var indented: String { indented("") }

  private func indented(_ margin: String) -> String {
    let inner = margin + "  "
    switch self {
    case .array(let elements) where !elements.isEmpty:
      let lines = elements.map { inner + $0.indented(inner) }
      return "[\n\(lines.joined(separator: ",\n"))\n\(margin)]"
    case .object(let members) where !members.isEmpty:
      let lines = members.map { "\(inner)\(JSON.string($0.name).text): \($0.value.indented(inner))" }
      return "{\n\(lines.joined(separator: ",\n"))\n\(margin)}"
    default: return text
    }
  }

  private var text: String {
    var writer = JSONWriter()
    writer.json(self)
    return String(decoding: writer.bytes, as: UTF8.self)
  }
}
