// SPDX-License-Identifier: MIT
import ViewModels

/// The buttons of a part's actions and commands that take no value, and what a command says of itself.
struct PageDeeds {
  let scope: PageScope
  let entries: PageEntries

  /// The attributes that perform an action, on a button or a form.
  ///
  /// - Parameters:
  ///   - outer: `../` for the button in a row of an action of the list's owner.
  ///   - key: the path of the action's value.
  func doing(_ deed: PageEntries.Deed, outer: String = "", key: String? = nil) -> KeyValuePairs<String, String?> {
    let name = deed.entry.name
    return [
      "data-vm-do": outer + scope.path + name, "data-vm-arg": key,
      "data-vm-confirm": deed.isDangerous ? "=\(PageWords.of(name))?" : nil,
    ]
  }

  /// The attribute that shows whether an action is possible. A command shows that by itself.
  func possible(_ deed: PageEntries.Deed, outer: String = "") -> KeyValuePairs<String, String?> {
    ["data-vm-attr-aria-disabled": entries.conditions[deed.entry.name].map { "!\(outer)\(scope.path)\($0)" }]
  }

  /// - Parameter title: the path of the text by which a person knows the row around the button.
  func button(_ deed: PageEntries.Deed, outer: String = "", key: String? = nil, title: String? = nil) -> Markup {
    let about = deed.entry.explained
    return Markup.tag(
      "button", ["type": "button", "class": "small quiet"], words(PageWords.of(deed.entry.name), of: title)
    ).with(doing(deed, outer: outer, key: key)).with(possible(deed, outer: outer)).with([
      "aria-describedby": key == nil ? about.flatMap { _ in scope.id(deed.entry.name, "about") } : nil,
      "title": scope.isInRow || key != nil ? about : nil,
    ])
  }

  /// The button of the form that performs an action.
  func submit(_ deed: PageEntries.Deed) -> Markup {
    Markup.tag("button", ["type": "submit", "class": "small"], PageWords.of(deed.entry.name)).with(possible(deed))
  }

  func cancel(_ deed: PageEntries.Deed) -> [Markup] {
    if !deed.isCommand { return [] }
    let path = scope.path + deed.entry.name
    let button = Markup.tag(
      "button",
      [
        "type": "button", "class": "small quiet", "data-vm-cancel": path, "data-vm-show": path + "/executing",
        "hidden": "",
      ],
      [.text("Cancel "), .tag("span", ["class": "aloud"], PageWords.of(deed.entry.name))])
    return [button]
  }

  /// The progress of commands, and behind it their results and errors.
  func runs(_ deeds: [PageEntries.Deed]) -> [Markup] {
    let commands = deeds.filter(\.isCommand)
    if commands.isEmpty { return [] }
    let bars = commands.map { deed in
      let path = scope.path + deed.entry.name
      return Markup.tag(
        "progress",
        [
          "max": "1", "aria-label": PageWords.of(deed.entry.name), "data-vm-attr-value": path + "/progress",
          "data-vm-show": path + "/executing", "hidden": "",
        ])
    }
    return bars + [.tag("div", ["role": "status"], commands.map(outcome))]
  }

  private func outcome(_ deed: PageEntries.Deed) -> Markup {
    let path = scope.path + deed.entry.name
    let result = deed.result.map { result in
      if result.isFile { return PageFacts.file(path + "/result", "span") }
      let isText = result.isShownAsText || result.form == .tick
      return Markup.tag(
        isText ? "span" : "json-value", [isText ? "data-vm-text" : "data-vm-prop-value": path + "/result"])
    }
    let error = Markup.tag("span", ["class": "wrong", "data-vm-text": path + "/error/detail"])
    return .tag(
      "p", ["class": "said"],
      [.tag("b", [:], PageWords.of(deed.entry.name) + ":")]
        + [result, error].compactMap(\.self).flatMap { [.text(" "), $0] })
  }

  /// The descriptions of actions, which their buttons refer to.
  func abouts(_ deeds: [PageEntries.Deed]) -> [Markup] {
    deeds.compactMap { deed in
      guard let id = scope.id(deed.entry.name, "about"), let about = deed.entry.explained else { return nil }
      return .tag(
        "p", ["id": id, "class": "about"], [.tag("b", [:], PageWords.of(deed.entry.name) + ":"), .text(" " + about)])
    }
  }

  private func words(_ words: String, of title: String?) -> [Markup] {
    guard let title else { return [.text(words)] }
    return [.text(words + " "), .tag("span", ["class": "aloud", "data-vm-text": title])]
  }
}

/// Values that are shown and not written.
enum PageFacts {
  /// A list of values with their names; nothing for none.
  ///
  /// - Parameter style: the list's class.
  static func list(_ facts: [PageEntries.Fact], in scope: PageScope, style: String) -> [Markup] {
    if facts.isEmpty { return [] }
    let items = facts.map { fact in
      let words = fact.control.form == .tick ? PageWords.ofTruth(fact.entry.name) : PageWords.of(fact.entry.name)
      let about = fact.entry.explained
      let term: [Markup] =
        scope.isInRow || about == nil ? [.text(words)] : [.text(words + " "), .tag("small", [:], about ?? "")]
      return Markup.tag(
        "div", ["title": scope.isInRow ? about : nil],
        [.tag("dt", [:], term), shown(scope.path + fact.path, fact.control, "dd")])
    }
    return [.tag("dl", ["class": style], items)]
  }

  static func message(_ fact: PageEntries.Fact, in scope: PageScope) -> Markup {
    .tag("p", ["class": "message", "role": scope.isInRow ? nil : "status", "data-vm-text": scope.path + fact.path])
  }

  /// Whether a text is an address, by its type or its name.
  private static func isLink(_ path: String, _ control: PageControl) -> Bool {
    if control.form == .text(type: "url") { return true }
    return control.isText && ["href", "link", "url"].contains(String(path.split(separator: "/").last ?? ""))
  }

  /// A file that the session offers, in an element: a link by which a person keeps it.
  static func file(_ path: String, _ element: String) -> Markup {
    let link: KeyValuePairs<String, String?> = [
      "data-vm-attr-href": "\(path)/url", "data-vm-text": "\(path)/name", "data-vm-show": path, "download": "",
      "hidden": "",
    ]
    return .tag(element, [:], [Markup.tag("a", [:], []).with(link)])
  }

  /// A value in an element.
  static func shown(_ path: String, _ control: PageControl, _ element: String) -> Markup {
    if control.form == .tick {
      return .tag(
        element, [:],
        [
          .tag("span", ["class": "dot", "data-vm-class-yes": path]),
          .tag("span", ["data-vm-show": path, "hidden": ""], "yes"), .tag("span", ["data-vm-show": "!" + path], "no"),
        ])
    }
    if isLink(path, control) {
      return .tag(element, [:], [.tag("a", ["data-vm-attr-href": path, "data-vm-text": path])])
    }
    if control.isFile { return file(path, element) }
    if control.isShownAsText { return .tag(element, ["data-vm-text": path]) }
    return .tag(element, [:], [.tag("json-value", ["data-vm-prop-value": path])])
  }
}
