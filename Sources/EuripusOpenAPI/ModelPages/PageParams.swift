// SPDX-License-Identifier: MIT
import JSONPatching

/// The parameters with which a page opens its session.
struct PageParams {
  private let control: PageControl
  /// The parameters, each with its control. Parameters that are no object of such members are one, as JSON.
  private let members: [PageControl.Member]

  init(_ schema: JSONSchema) {
    control = PageControl(schema)
    if case .members(let members) = control.form {
      self.members = members
    } else {
      members = [
        PageControl.Member(name: "params", control: PageControl(.any), isOptional: control.isNullable)
      ]
    }
  }

  /// The parameters that a query has.
  ///
  /// - Returns: `nil` where one that is needed is missing, or a text is none of its type.
  func params(in query: [(name: String, value: String)]) -> JSON? {
    var params: [JSON.Member] = []
    for member in members {
      let text = query.last { $0.name == member.name }?.value
      if text ?? "" == "" {
        if member.isOptional { continue }
        if member.control.isNullable {
          params.append(JSON.Member(name: member.name, value: .null))
          continue
        }
      }
      // A box without a tick is not in the query.
      guard let value = member.control.value(of: text ?? (query.isEmpty ? nil : member.control.absent)) else {
        return nil
      }
      params.append(JSON.Member(name: member.name, value: value))
    }
    if case .members = control.form { return .object(params) }
    return params.first?.value ?? .object([])
  }

  /// Parameters of the right types, for a page whose author writes others.
  var example: JSON {
    guard case .members = control.form else { return .object([]) }
    return .object(
      members.filter { !$0.isOptional }.map { JSON.Member(name: $0.name, value: $0.control.example) })
  }

  /// The form that opens the page with parameters in its address.
  func form(_ words: String, level: Int) -> Markup {
    let labels = members.map { member in
      let name = PageWords.of(member.name)
      let isTick = member.control.form == .tick
      let input = member.control.input([
        "name": member.name, "value": isTick ? "true" : nil,
        "required": isTick || member.isOptional || member.control.isNullable ? nil : "",
      ])
      return isTick
        ? Markup.tag("label", ["class": "check"], [input, .text(" " + name)])
        : .tag("label", ["class": "field"], [.text(name + " "), input])
    }
    return .tag(
      "form", ["class": "card", "method": "get"],
      [.tag("h\(level)", [:], words)] + labels + [.tag("button", ["type": "submit", "class": "small"], "Open")])
  }
}

extension PageControl {
  fileprivate var absent: String? { form == .tick ? "false" : nil }

  fileprivate func value(of text: String?) -> JSON? {
    guard let text else { return nil }
    switch form {
    case .text, .area, .choice, .day: return .string(text)
    case .lines: return .array(text.split(whereSeparator: \.isNewline).map { .string(String($0)) })
    case .tick, .number, .numbers, .members, .json: return try? JSONReader.read(text)
    }
  }

  fileprivate var example: JSON {
    if isNullable { return .null }
    switch form {
    case .text, .area: return "example"
    case .number: return 0
    case .tick: return false
    case .choice(let values): return values.first.map(JSON.string) ?? ""
    case .numbers(let values): return .integer(values.first ?? 0)
    case .day: return "2026-01-01"
    case .lines: return []
    case .members, .json: return [:]
    }
  }
}
