// SPDX-License-Identifier: MIT
import JSONPatching

/// The control with which a person gives a value of some type.
struct PageControl: Equatable, Sendable {
  struct Member: Equatable, Sendable {
    let name: String
    let control: PageControl
    /// Whether it may be absent.
    let isOptional: Bool
  }

  enum Form: Equatable, Sendable {
    /// - Parameter type: the type of the input.
    case text(type: String)
    /// A text of several lines.
    case area
    case number(isWhole: Bool)
    case tick
    case choice([String])
    /// One of some whole numbers.
    case numbers([Int64])
    case day
    /// An array of texts, one a line.
    case lines
    case members([Member])
    /// Any other value, as JSON.
    case json
  }

  let form: Form
  /// The bounds as attributes of the input.
  var bounds: [Markup.Attribute]
  /// Whether it may be `null`.
  let isNullable: Bool
  /// The name of the type, where it has one of its own.
  let title: String?

  /// From this length on a text has several lines.
  private static let longLine: Int64 = 301

  static let secret = PageControl(JSONSchema(["type": "string", "format": "password"]))

  init(_ schema: JSONSchema) { self.init(schema.json) }

  private init(_ whole: JSON) {
    let (schema, isNullable) = Self.present(whole)
    self.isNullable = isNullable
    title = Self.text(schema["title"])
    form = Self.form(schema)
    switch form {
    case .text, .area: bounds = Self.bounds(schema, [("minLength", "minlength"), ("maxLength", "maxlength")])
    case .number: bounds = Self.bounds(schema, [("minimum", "min"), ("maximum", "max")])
    case .tick, .choice, .numbers, .day, .lines, .members, .json: bounds = []
    }
  }

  /// Whether `data-vm-bind` sends and shows such a value.
  var isBindable: Bool {
    switch form {
    case .text, .area, .number, .tick, .choice, .day: true
    case .numbers, .lines, .members, .json: false
    }
  }

  /// Whether it is a text of one line, of no known form.
  var isText: Bool { form == .text(type: "text") }

  /// Whether it is a file that the session offers.
  var isFile: Bool {
    guard case .members(let members) = form else { return false }
    return members.map(\.name) == ["url", "name", "size"]
  }

  /// Whether it is any text.
  var isPlainText: Bool { isText && bounds.isEmpty && !isNullable }

  /// Whether a text shows the value as a person reads it.
  var isShownAsText: Bool {
    switch form {
    case .text, .area, .number, .choice, .numbers, .day: true
    case .tick, .lines, .members, .json: false
    }
  }

  // MARK: Reading a schema

  /// The schema without `null`. Of a value with bounds and its draft it is the one with the bounds.
  private static func present(_ schema: JSON) -> (schema: JSON, isNullable: Bool) {
    if case .array(let types)? = schema["type"], types.count == 2, let type = types.first(where: { $0 != "null" }) {
      var single = schema
      single["type"] = type
      return (single, types.contains("null"))
    }
    guard case .array(let variants)? = schema["anyOf"] ?? schema["oneOf"] else { return (schema, false) }
    let others = variants.filter { $0["type"] != "null" }
    let presents = others.map(present)
    let isNullable = others.count < variants.count || presents.contains(where: \.isNullable)
    guard let first = presents.first, presents.allSatisfy({ $0.schema["type"] == first.schema["type"] }),
      first.schema["type"] != nil, presents.count == 1 || first.schema["type"] != "object"
    else { return ([:], isNullable) }
    return (first.schema, isNullable)
  }

  private static func form(_ schema: JSON) -> Form {
    if case .array(let values)? = schema["enum"] {
      let texts = values.compactMap { text($0) }
      if texts.count == values.count { return .choice(texts) }
      let numbers = values.compactMap { integer($0) }
      return numbers.count == values.count ? .numbers(numbers) : .json
    }
    switch schema["type"] {
    case "boolean": return .tick
    case "integer": return .number(isWhole: true)
    case "number": return .number(isWhole: false)
    case "string": return textForm(schema)
    case "array": return form(schema["items"] ?? [:]) == .text(type: "text") ? .lines : .json
    case "object": return members(schema).map(Form.members) ?? .json
    default: return .json
    }
  }

  private static func textForm(_ schema: JSON) -> Form {
    switch schema["format"] {
    case "date-time", "date": return .day
    case "email": return .text(type: "email")
    case "uri": return .text(type: "url")
    case "password": return .text(type: "password")
    default: return (integer(schema["maxLength"]) ?? 0) >= longLine ? .area : .text(type: "text")
    }
  }

  /// The members of an object; `nil` where one of them needs more than one control.
  private static func members(_ schema: JSON) -> [Member]? {
    guard case .object(let properties)? = schema["properties"], !properties.isEmpty else { return nil }
    var required: [JSON] = []
    if case .array(let names)? = schema["required"] { required = names }
    var members: [Member] = []
    for property in properties {
      let control = PageControl(property.value)
      if case .members = control.form { return nil }
      members.append(
        Member(name: property.name, control: control, isOptional: !required.contains(.string(property.name))))
    }
    return members
  }

  private static func bounds(_ schema: JSON, _ names: [(keyword: String, name: String)]) -> [Markup.Attribute] {
    names.compactMap { keyword, name in
      guard let bound = schema[keyword], bound != .integer(.min), bound != .integer(.max) else { return nil }
      return Markup.Attribute(name: name, value: String(decoding: JSON.text(of: bound), as: UTF8.self))
    }
  }

  private static func text(_ json: JSON?) -> String? { if case .string(let text)? = json { text } else { nil } }
  private static func integer(_ json: JSON?) -> Int64? { if case .integer(let number)? = json { number } else { nil } }
}
