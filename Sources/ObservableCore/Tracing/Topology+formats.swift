// SPDX-License-Identifier: MIT

extension Topology {
  /// The topology in Graphviz's language, for `dot -Tsvg`.
  public var dot: String {
    var lines = ["digraph {", "  rankdir=LR;", "  node [fontname=\"sans-serif\"];"]
    for node in nodes {
      lines.append("  n\(node.id) [label=\(quoted(node.label("\n"))), shape=\(node.shape)];")
    }
    for edge in edges { lines.append("  n\(edge.from) -> n\(edge.to);") }
    return lines.joined(separator: "\n") + "\n}\n"
  }

  /// The topology in Mermaid's language, which many viewers of Markdown draw.
  public var mermaid: String {
    var lines = ["flowchart LR"]
    for node in nodes {
      // Mermaid knows HTML's entities, and would interpret a quotation mark or an angle bracket.
      let text = node.label("\u{0}").flatMap { character -> String in
        switch character {
        case "\"": "#quot;"
        case "<": "#lt;"
        case ">": "#gt;"
        case "#": "#35;"
        case "\u{0}", "\n": "<br>"
        default: String(character)
        }
      }
      let (open, close) = node.brackets
      lines.append("  n\(node.id)\(open)\"\(String(text))\"\(close)")
    }
    for edge in edges { lines.append("  n\(edge.from) --> n\(edge.to)") }
    return lines.joined(separator: "\n") + "\n"
  }

  /// The topology as JSON, for an inspector page: `{"nodes": [{"id", "name", "file", "line", "kind", "value",
  /// "observers"}], "edges": [{"from", "to"}]}`. `value` is the value in words, or `null`.
  public var json: String {
    let nodes = nodes.map { node in
      "{\"id\":\(node.id),\"name\":\(quoted(node.origin.name)),\"file\":\(quoted(node.origin.file)),"
        + "\"line\":\(node.origin.line),\"kind\":\(quoted(node.kind)),"
        + "\"value\":\(node.value.map(quoted) ?? "null"),\"observers\":\(node.observers)}"
    }
    let edges = edges.map { "{\"from\":\($0.from),\"to\":\($0.to)}" }
    return "{\"nodes\":[\(nodes.joined(separator: ","))],\"edges\":[\(edges.joined(separator: ","))]}"
  }
}

extension Topology.Node {
  /// The node's name, or its place if it has none, and its value.
  fileprivate func label(_ separator: String) -> String {
    let name = origin.name.isEmpty ? "\(origin.file):\(origin.line)" : origin.name
    guard let value else { return name }
    return name + separator + (value.count > 40 ? value.prefix(39) + "…" : value)
  }

  fileprivate var shape: String {
    switch kind {
    case "observable": "box"
    case "event": "cds"
    case "combiner": "hexagon"
    default: "ellipse"
    }
  }

  fileprivate var brackets: (open: String, close: String) {
    switch kind {
    case "observable": ("[", "]")
    case "event": (">", "]")
    case "combiner": ("{{", "}}")
    default: ("([", "])")
    }
  }
}

/// A JSON string (RFC 8259, section 7), which is a string of Graphviz as well.
private func quoted(_ text: String) -> String {
  var result = "\""
  for scalar in text.unicodeScalars {
    switch scalar {
    case "\"": result += "\\\""
    case "\\": result += "\\\\"
    case "\n": result += "\\n"
    case "\u{0}"..."\u{1F}":
      let hex = String(scalar.value, radix: 16)
      result += "\\u" + String(repeating: "0", count: 4 - hex.count) + hex
    default: result.unicodeScalars.append(scalar)
    }
  }
  return result + "\""
}
