// SPDX-License-Identifier: MIT
import JSONPatching
import ViewModels

/// The next step of a client, chosen at random from all entries of a surface, with values of the declared
/// types.
struct RandomSteps {
  let seed: UInt64
  /// Names of entries that are left out, in every part.
  let without: Set<String>
  /// Texts with a meaning for the view model.
  let texts: [String]
  private var random: SplitMix

  init(seed: UInt64, without: Set<String>, texts: [String]) {
    self.seed = seed
    random = SplitMix(state: seed)
    self.without = without
    self.texts = texts
  }

  mutating func number(in range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }

  mutating func chance() -> Bool { Bool.random(using: &random) }

  /// - Returns: the step; `nil` if the view model takes none.
  mutating func next(_ description: SurfaceDescription, in state: JSON) -> Change? {
    var words: [String] = []
    Self.collectTexts(of: state, into: &words)
    var choices: [Choice] = []
    collect(description, state, [], into: &choices)
    if let start = description.addressStart {
      choices.append(.address(start, description.entries.filter { $0.history != nil }.map(\.name)))
    }
    guard let choice = choices.randomElement(using: &random) else { return nil }
    switch choice {
    case .perform(let path, nil): return .perform(path, nil)
    case .perform(let path, let schema?): return .perform(path, value(schema, words))
    case .set(let path, let schema): return .set(path, value(schema, words))
    case .cancel(let path): return .cancel(path)
    case .address(let start, let names): return .address(.string(address(start, names, words)))
    }
  }

  /// A start of each command that the state has.
  mutating func commands(_ description: SurfaceDescription, in state: JSON) -> [Change] {
    var words: [String] = []
    Self.collectTexts(of: state, into: &words)
    var choices: [Choice] = []
    collect(description, state, [], into: &choices)
    var cancellable: Set<[String]> = []
    for case .cancel(let path) in choices { cancellable.insert(path) }
    return choices.compactMap { choice in
      guard case .perform(let path, let schema) = choice, cancellable.contains(path) else { return nil }
      return .perform(path, schema.map { value($0, words) })
    }
  }

  /// An address with some of the items, and with steps that may lead to a page.
  private mutating func address(_ start: String, _ names: [String], _ words: [String]) -> String {
    let segments = (0..<number(in: 0...3)).map { _ in "/" + text(words) }
    let items = names.filter { _ in chance() }.map { name in "\(name)=\(text(words))" }
    return start + segments.joined() + "?" + items.joined(separator: "&")
  }

  private enum Choice {
    case perform([String], JSON?)
    case set([String], JSON)
    case cancel([String])
    case address(String, [String])
  }

  private func collect(_ description: SurfaceDescription, _ state: JSON, _ path: [String], into choices: inout [Choice])
  {
    // There is no database.
    for entry in description.entries where !without.contains(entry.name) && entry.databaseUse == nil {
      let path = path + [entry.name]
      switch entry.form {
      case .value(let schema, let isWritable, _): if isWritable { choices.append(.set(path, schema.json)) }
      case .secret: choices.append(.set(path, JSONSchema.string.json))
      case .action(let takes, _, _): choices.append(.perform(path, takes?.json))
      case .command(let takes, _):
        choices.append(.perform(path, takes?.json))
        choices.append(.cancel(path))
      case .nested(let child, _), .uploads(let child):
        if let state = state[entry.name], state != .null { collect(child(), state, path, into: &choices) }
      case .list(let rows, _): collect(rows, state[entry.name] ?? .null, path, into: &choices)
      }
    }
  }

  private func collect(
    _ rows: SurfaceDescription.Rows, _ state: JSON, _ path: [String], into choices: inout [Choice]
  ) {
    if state["window"] != nil { choices.append(.set(path + ["window"], ListWindow.jsonSchema.json)) }
    guard case .object(let items)? = state["items"] else { return }
    for item in items {
      let path = path + ["items", item.name]
      switch rows {
      case .same(let row): collect(row(), item.value, path, into: &choices)
      case .kinds(let kinds):
        let kind = kinds?.lazy.map { $0() }.first { item.value["kind"] == .string($0.name) }
        if let kind { collect(kind, item.value, path, into: &choices) }
      }
    }
  }

  private static func collectTexts(of json: JSON, into texts: inout [String]) {
    switch json {
    case .string(let text): texts.append(text)
    case .array(let elements): for element in elements { collectTexts(of: element, into: &texts) }
    case .object(let members): for member in members { collectTexts(of: member.value, into: &texts) }
    case .null, .bool, .integer, .number: break
    }
  }

  /// A value that the schema allows, as far as the schema is understood.
  private mutating func value(_ schema: JSON, _ words: [String]) -> JSON {
    if let constant = schema["const"] { return constant }
    let known = schema["enum"] ?? schema["examples"]
    if case .array(let values)? = known, let value = values.randomElement(using: &random) { return value }
    if case .array(let others)? = schema["anyOf"], let other = others.randomElement(using: &random) {
      return value(other, words)
    }
    var type = schema["type"]
    if case .array(let types)? = type { type = types.randomElement(using: &random) }
    switch type {
    case "null": return .null
    case "boolean": return .bool(chance())
    case "integer": return .integer(Int64(integer(schema)))
    case "number": return .number(number(schema))
    case "array":
      return .array((0..<number(in: 0...3)).map { _ in value(schema["items"] ?? .object([]), words) })
    case "object":
      return .object(members(schema, words))
    default: return .string(text(words))
    }
  }

  /// The members of an object; those that may be absent are included at times.
  private mutating func members(_ schema: JSON, _ words: [String]) -> [JSON.Member] {
    guard case .object(let properties)? = schema["properties"] else {
      guard case .object? = schema["additionalProperties"] else { return [] }
      let value = schema["additionalProperties"] ?? .object([])
      return (0..<number(in: 0...3)).map { JSON.Member(name: "\($0)", value: self.value(value, words)) }
    }
    var required = Set(properties.map(\.name))
    if case .array(let names)? = schema["required"] { required = Set(names.compactMap { try? String(json: $0) }) }
    return properties.compactMap { property in
      guard required.contains(property.name) || chance() else { return nil }
      return JSON.Member(name: property.name, value: value(property.value, words))
    }
  }

  private mutating func integer(_ schema: JSON) -> Int {
    let lowest = schema["minimum"].flatMap { try? Int(json: $0) } ?? -20
    let highest = schema["maximum"].flatMap { try? Int(json: $0) } ?? 20
    // The number is near one end or the other, and most often near 0.
    let low = max(lowest, min(highest, chance() ? -20 : lowest))
    return number(in: low...max(low, min(highest, low.addingReportingOverflow(40).partialValue)))
  }

  private mutating func number(_ schema: JSON) -> Double {
    let lowest = schema["minimum"].flatMap { try? Double(json: $0) } ?? -1e3
    let highest = schema["maximum"].flatMap { try? Double(json: $0) } ?? 1e3
    return Double.random(in: lowest...max(lowest, highest), using: &random)
  }

  private mutating func text(_ words: [String]) -> String {
    switch number(in: 0...5) {
    case 0, 1: return words.randomElement(using: &random) ?? ""
    case 2 where !texts.isEmpty: return texts.randomElement(using: &random) ?? ""
    default:
      let length = [0, 1, 5, 6, 7, 24, 25].randomElement(using: &random) ?? 0
      return String((0..<length).map { _ in "abc äé😀\"/~".randomElement(using: &random) ?? "a" })
    }
  }
}

/// Random numbers that a seed determines (Steele, Lea and Flood 2014, "Fast Splittable Pseudorandom Number
/// Generators").
private struct SplitMix: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }
}
