// SPDX-License-Identifier: MIT
import ViewModels

extension PageControl {
  /// The input, with attributes behind its own and before its bounds.
  func input(_ attributes: KeyValuePairs<String, String?> = [:]) -> Markup {
    let element: Markup =
      switch form {
      case .text(let type): .tag("input", ["type": type])
      case .area, .lines: .tag("textarea", ["rows": "3"])
      case .number(let isWhole): .tag("input", ["type": "number", "step": isWhole ? "1" : "any"])
      case .tick: .tag("input", ["type": "checkbox"])
      case .choice(let values): .tag("select", [:], values.map { .tag("option", ["value": $0], PageWords.of($0)) })
      case .numbers(let values): .tag("select", [:], values.map { .tag("option", ["value": "\($0)"], "\($0)") })
      case .day: .tag("input", ["type": "date"])
      case .members, .json: .tag("textarea", ["rows": "3", "spellcheck": "false"])
      }
    return element.with(attributes).with(bounds)
  }
}

/// The inputs of a part, each with its label, its description and its error.
struct PageFields {
  let scope: PageScope

  /// - Parameter hint: a text of the view model about the input.
  func field(_ input: PageEntries.Input, hint: PageEntries.Fact?) -> [Markup] {
    let name = input.entry.name
    let about = input.entry.explained
    let id = scope.id(name)
    let hint = scope.isInRow ? nil : hint
    let described = [
      input.isField ? scope.id(name, "error") : nil, hint.flatMap { scope.id($0.path) },
      about.flatMap { _ in scope.id(name, "about") },
    ].compactMap(\.self).joined(separator: " ")
    let control = control(input).with([
      "id": input.control.form == .tick ? nil : id, "aria-describedby": described.isEmpty ? nil : described,
      "title": scope.isInRow ? about : nil,
    ])
    let hints: [Markup] =
      hint.map {
        [
          .tag(
            "p", ["id": scope.id($0.path), "class": "about", "role": "status", "data-vm-text": scope.path + $0.path])
        ]
      } ?? []
    let behind = error(input) + hints + (scope.isInRow ? [] : description(name, about))
    if input.control.form == .tick {
      let label = Markup.tag("label", ["class": "check"], [control, .text(" " + PageWords.ofTruth(name))])
      return behind.isEmpty ? [label] : [.tag("div", ["class": "field"], [label] + behind)]
    }
    let words = PageWords.of(name)
    if id == nil {
      return [.tag("label", ["class": "field"], [.text(words + " "), control] + behind)] + conflict(input)
    }
    return [.tag("div", ["class": "field"], [.tag("label", ["for": id], words), control] + behind + conflict(input))]
  }

  private func control(_ input: PageEntries.Input) -> Markup {
    let path = scope.path + input.entry.name
    return input.control.input([
      "autocomplete": autocomplete(input), "data-vm-field": input.isField ? path : nil,
      "data-vm-bind": input.isField ? nil : path,
    ])
  }

  private static let known = [
    "email": "email", "username": "username", "userName": "username", "password": "current-password",
  ]

  private func autocomplete(_ input: PageEntries.Input) -> String? {
    switch input.control.form {
    case .text("password"): "current-password"
    case .text: Self.known[input.entry.name] ?? "off"
    case .area, .number, .tick, .choice, .numbers, .day, .lines, .members, .json: nil
    }
  }

  private func error(_ input: PageEntries.Input) -> [Markup] {
    if !input.isField { return [] }
    let path = scope.path + input.entry.name + "/error"
    guard let id = scope.id(input.entry.name, "error") else {
      return [.tag("span", ["class": "wrong", "data-vm-text": path])]
    }
    return [.tag("p", ["id": id, "class": "wrong", "role": "status", "data-vm-text": path])]
  }

  private func description(_ name: String, _ about: String?) -> [Markup] {
    about.map { [.tag("p", ["id": scope.id(name, "about"), "class": "about"], $0)] } ?? []
  }

  /// The question that a person is asked where somebody else has written the same text.
  private func conflict(_ input: PageEntries.Input) -> [Markup] {
    switch input.control.form {
    case .text(let type) where scope.isShared && type != "password": break
    case .area where scope.isShared: break
    default: return []
    }
    let path = scope.path + input.entry.name + (input.isField ? "/value" : "")
    let choices = [("theirs", "Take theirs"), ("mine", "Keep mine")].map { choice, words in
      Markup.tag("button", ["type": "button", "class": "small quiet", "data-vm-choose": choice], words)
    }
    return [
      .tag(
        "p", ["role": "alert", "class": "notice", "data-vm-conflict": path, "hidden": ""],
        [.text("Somebody else wrote "), .tag("q", ["data-vm-text": path])] + choices)
    ]
  }
}
