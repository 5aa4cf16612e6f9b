// SPDX-License-Identifier: MIT
import JSONPatching

/// The bounds of a field's rules, for the page and for the description of the server.
struct FieldBounds {
  private let bounds: [FieldBound]

  /// - Parameter bounds: those of the rules, in their order; of two with one name the first counts.
  init(_ bounds: [FieldBound]) {
    self.bounds = bounds.enumerated().filter { index, bound in
      !bounds[..<index].contains { $0.name == bound.name }
    }.map(\.element)
  }

  /// The attributes of the page's input: `{"required":true,"maxlength":254}`.
  var attributes: JSON { .object(bounds.map { JSON.Member(name: $0.name.rawValue, value: $0.value) }) }

  var attributesSchema: JSONSchema {
    .object(bounds.map { ($0.name.rawValue, .constant($0.value)) })
  }

  /// The schema of a value, which keeps the bounds or is a draft.
  func schema(of value: JSONSchema) -> JSONSchema {
    if bounds.isEmpty { return value }
    return .any(of: [
      valid(value).described("A value that keeps the bounds."),
      value.described("A draft: it is taken, and `error` says what is wrong with it."),
    ])
  }

  private var isRequired: Bool { bounds.contains { $0.name == .required } }

  private func valid(_ schema: JSONSchema) -> JSONSchema {
    var schema = schema
    // It comes first, as another rule may ask for more.
    if isRequired { schema = required(schema) }
    for bound in bounds {
      switch (bound.name, bound.value) {
      case (.required, _): break
      // A text that may be missing, and is, breaks no other rule.
      case (.minlength, _): if isRequired { schema = schema.with("minLength", bound.value) }
      case (.maxlength, _): schema = schema.with("maxLength", bound.value)
      case (.min, _): schema = schema.with("minimum", bound.value)
      case (.max, _): schema = schema.with("maximum", bound.value)
      case (.pattern, .string(let pattern)):
        schema = schema.with("pattern", .string("^(?:\(pattern))\(isRequired ? "" : "?")$"))
      case (.pattern, _): break
      }
    }
    return schema
  }

  private func required(_ schema: JSONSchema) -> JSONSchema {
    switch schema.json["type"] {
    case "boolean": schema.with("const", true)
    case "string" where schema.json["enum"] == nil: schema.with("minLength", 1)
    case "array": schema.with("minItems", 1)
    case ["string", "null"]: schema.with("type", "string").with("minLength", 1)
    default: schema.with("not", ["type": "null"])
    }
  }
}

extension JSONSchema {
  /// The same schema with a keyword, which replaces one of the same name.
  fileprivate func with(_ keyword: String, _ value: JSON) -> JSONSchema {
    guard case .object(let members) = json else { return self }
    return JSONSchema(.object(members.filter { $0.name != keyword } + [JSON.Member(name: keyword, value: value)]))
  }
}
