// SPDX-License-Identifier: MIT
import ViewModels

/// The forms of actions that take a value, which `euripus-page.js` sends. One of few texts is a button for each.
struct PageAsks {
  let scope: PageScope
  let entries: PageEntries

  private static let mostButtons = 5

  func ask(_ deed: PageEntries.Deed, _ control: PageControl) -> [Markup] {
    let deeds = PageDeeds(scope: scope, entries: entries)
    if case .choice(let values) = control.form, values.count <= Self.mostButtons, !control.isNullable {
      return [choice(deed, values, deeds)] + deeds.runs([deed])
    }
    let path = scope.path + deed.entry.name
    let state = deed.isCommand ? ["data-vm-attr-aria-disabled": "!\(path)/enabled"] : deeds.possible(deed)
    let button = Markup.tag(
      "button", ["type": "submit", "class": "small quiet"], PageWords.of(deed.entry.name)
    ).with(state)
    return [form("data-page-do", path, control, deed.entry, [button] + deeds.cancel(deed))]
      + deeds.runs([deed])
  }

  /// The form that writes a value as a whole.
  func write(_ fact: PageEntries.Fact) -> Markup {
    let words = PageWords.of(fact.entry.name)
    let button = Markup.tag(
      "button", ["type": "submit", "class": "small quiet"], "Set \(words.prefix(1).lowercased())\(words.dropFirst())")
    return form("data-page-set", scope.path + fact.path, fact.control, fact.entry, [button])
  }

  private func choice(_ deed: PageEntries.Deed, _ values: [String], _ deeds: PageDeeds) -> Markup {
    let words = PageWords.of(deed.entry.name)
    let buttons = values.map { value in
      Markup.tag("button", ["type": "button", "class": "small quiet"], PageWords.of(value)).with([
        "data-vm-do": scope.path + deed.entry.name, "data-vm-arg": "=" + value,
      ]).with(deeds.possible(deed))
    }
    return .tag(
      "div", ["class": "ask", "role": "group", "aria-label": words],
      [.tag("b", [:], words)] + buttons + deeds.cancel(deed) + about(deed.entry))
  }

  private func about(_ entry: EntryDescription) -> [Markup] {
    scope.isInRow ? [] : entry.explained.map { [.tag("p", ["class": "about"], $0)] } ?? []
  }

  private func form(
    _ attribute: String, _ path: String, _ control: PageControl, _ entry: EntryDescription, _ buttons: [Markup]
  ) -> Markup {
    var inputs: [Markup] = []
    if case .members(let members) = control.form {
      for member in members {
        let isTick = member.control.form == .tick
        inputs += label(isTick ? PageWords.ofTruth(member.name) : PageWords.of(member.name), member, entry)
      }
    } else {
      let member = PageControl.Member(name: "", control: control, isOptional: false)
      inputs = label(control.title.map(PageWords.of) ?? control.word, member, entry)
    }
    let said = Markup.tag("p", ["class": "said", "role": "status", "data-page-said": ""])
    return Markup.element(
      "form",
      [Markup.Attribute(name: "class", value: "ask"), Markup.Attribute(name: attribute, value: path)],
      inputs + buttons + [said] + about(entry))
  }

  private func label(_ words: String, _ member: PageControl.Member, _ entry: EntryDescription) -> [Markup] {
    let control = member.control
    let mayBeEmpty = control.isNullable || member.isOptional
    let keys = entries.lists.first { $0.entry.name == member.name + "s" }
    let id = keys.flatMap { _ in scope.id(entry.name, member.name) }
    let input = control.input([
      "autocomplete": control.isTyped ? "off" : nil, "required": control.needsValue && !mayBeEmpty ? "" : nil,
      "list": id, "checked": control.form == .tick && member.name.isEmpty ? "" : nil, "data-page-value": member.name,
      "data-page-type": control.type,
      "data-page-null": control.isNullable ? "" : nil, "data-page-optional": member.isOptional ? "" : nil,
    ])
    let action = Markup.tag("span", ["class": "aloud"], "for \(PageWords.of(entry.name))")
    if control.form == .tick {
      return [.tag("label", ["class": "check"], [input, .text(" \(words) "), action])]
    }
    let label = Markup.tag(
      "label", [:], [.text(words + " "), action, .text(" "), control.withoutChoice(mayBeEmpty, input)])
    guard let id, let keys else { return [label] }
    return [label, keyList(id, keys.entry.name, keys.rows)]
  }

  /// The keys of a list's rows, for an input to propose.
  private func keyList(_ id: String, _ list: String, _ rows: SurfaceDescription.Rows) -> Markup {
    var title: String?
    if case .same(let row) = rows { title = PageEntries(row()).title }
    return .tag(
      "datalist", ["id": id],
      [
        .tag(
          "template", ["data-vm-each": scope.path + list],
          [.tag("option", ["data-vm-attr-value": "#", "data-vm-text": title ?? "#"])])
      ])
  }
}

extension PageControl {
  /// The label of a value that has no name.
  fileprivate var word: String {
    switch form {
    case .text, .area: "Text"
    case .number: "Number"
    case .tick: "Yes"
    case .choice, .numbers: "Choice"
    case .day: "Day"
    case .lines: "Texts, one a line"
    case .members, .json: "JSON"
    }
  }

  /// The type that `euripus-page.js` makes of the input's text; `nil` for a text, and for a tick.
  fileprivate var type: String? {
    switch form {
    case .number, .numbers: "number"
    case .lines: "lines"
    case .members, .json: "json"
    case .text, .area, .tick, .choice, .day: nil
    }
  }

  fileprivate var isTyped: Bool { if case .text = form { true } else { false } }

  /// Whether an empty input says nothing that the type has.
  fileprivate var needsValue: Bool {
    switch form {
    case .number, .numbers, .day, .members, .json, .choice: true
    case .text, .area, .tick, .lines: false
    }
  }

  /// The input with a first choice that is none, if there may be none.
  fileprivate func withoutChoice(_ mayBeEmpty: Bool, _ input: Markup) -> Markup {
    guard mayBeEmpty, case .element("select", let attributes, let options) = input else { return input }
    return .element("select", attributes, [.tag("option", ["value": ""], "none")] + options)
  }
}
