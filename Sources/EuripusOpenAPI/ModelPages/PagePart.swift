// SPDX-License-Identifier: MIT
import ViewModels

/// A view model on a page: the whole one, one within it, or a row.
struct PagePart {
  let scope: PageScope
  let entries: PageEntries
  private let deeds: PageDeeds
  /// The actions that the rows of the part's first list have buttons for, by their names.
  private let inRows: [String: String]

  /// The number of inputs that a row has in one line with its values.
  private static let mostBeside = 2

  init(_ surface: SurfaceDescription, _ scope: PageScope) {
    self.scope = scope
    entries = PageEntries(surface)
    deeds = PageDeeds(scope: scope, entries: entries)
    var key = "#"
    if case .same(let row)? = entries.lists.first?.rows { key = PageEntries.key(ofRow: PageEntries(row())) }
    let keyed = entries.deeds.filter(entries.takesKey).map { ($0.entry.name, key) }
    inRows = Dictionary(uniqueKeysWithValues: keyed)
  }

  /// The part by itself: its form, its lists, its parts, and its actions that take a value.
  var content: [Markup] {
    let card = form
    var content = signs
    if card.count == entries.messages.count {
      content += card
    } else {
      content.append(Self.card(card, submit: entries.submit.map { deeds.doing($0) }))
    }
    for (index, list) in entries.lists.enumerated() {
      content.append(self.list(list.entry, list.rows, hasWindow: list.hasWindow, isFirst: index == 0))
    }
    content += PageUploads(scope: scope).sections(entries.uploads)
    content += parts
    let asks = asks
    if !asks.isEmpty {
      let id = scope.id("more", "actions")
      content.append(
        .tag("section", ["class": "card", "aria-labelledby": id], [scope.heading("More actions", id: id)] + asks))
    }
    return content
  }

  private static func card(_ content: [Markup], submit: KeyValuePairs<String, String?>?) -> Markup {
    guard let submit else { return .tag("div", ["class": "card"], content) }
    return Markup.tag("form", ["class": "card"], content).with(submit)
  }

  /// The inputs with what the view model says of them, the buttons, and the values.
  private var form: [Markup] {
    let plain = plainDeeds
    return inputs + buttons(plain, title: nil) + deeds.runs(plain) + deeds.abouts(plain)
      + PageFacts.list(entries.facts + entries.writes, in: scope, style: "facts")
  }

  private var inputs: [Markup] {
    let hints = scope.isInRow ? [:] : entries.hints
    let named = Set(hints.values.map(\.path))
    return entries.inputs.flatMap { PageFields(scope: scope).field($0, hint: hints[$0.entry.name]) }
      + entries.messages.filter { !named.contains($0.path) }.map { PageFacts.message($0, in: scope) }
  }

  private var plainDeeds: [PageEntries.Deed] {
    entries.deeds.filter { $0.control == nil && PageSign($0) == nil }
  }

  /// - Parameter more: buttons of what is around the part.
  private func buttons(_ plain: [PageEntries.Deed], title: String?, more: [Markup] = []) -> [Markup] {
    let submit = entries.submit?.entry.name
    let all =
      plain.flatMap { deed in
        [deed.entry.name == submit ? deeds.submit(deed) : deeds.button(deed, title: title)] + deeds.cancel(deed)
      } + more
    return all.isEmpty ? [] : [.tag("div", ["class": "deeds start"], all)]
  }

  private var asks: [Markup] {
    let asks = PageAsks(scope: scope, entries: entries)
    return entries.writes.map(asks.write)
      + entries.deeds.filter { PageSign($0) == nil && inRows[$0.entry.name] == nil }
      .flatMap { deed in deed.control.map { asks.ask(deed, $0) } ?? [] }
  }

  private var signs: [Markup] {
    entries.deeds.compactMap { deed in
      PageSign(deed).map { sign in
        .tag("i", ["hidden": "", "data-vm-do": scope.path + deed.entry.name, "data-vm-on": sign.rawValue])
      }
    }
  }

  // MARK: Parts

  private var parts: [Markup] {
    entries.parts.map { entry, surface, isOptional in
      let part = self.part(entry, surface)
      let mayBeAbsent = isOptional || entry.isHidden
      return mayBeAbsent ? .tag("template", ["data-vm-if": scope.path + entry.name], [part]) : part
    }
  }

  private func part(_ entry: EntryDescription, _ surface: SurfaceDescription) -> Markup {
    let words = PageWords.of(entry.name)
    let about = entry.explained ?? surface.about
    let isKnown = scope.within.contains(surface.identity)
    let inner = PagePart(surface, scope.nested(entry.name, surface))
    let content =
      isKnown
      ? [.tag("json-value", ["data-vm-prop-value": scope.path + entry.name])]
      : scope.isInRow ? inner.rowContent() : inner.content
    if scope.isInRow {
      return .tag("fieldset", ["title": about], [.tag("legend", [:], words)] + content)
    }
    let id = scope.id(entry.name)
    return .tag(
      "section", ["class": "part", "aria-labelledby": id],
      [scope.heading(words, id: id)] + (about.map { [.tag("p", ["class": "lead"], $0)] } ?? []) + content)
  }

  // MARK: Lists

  private func list(
    _ entry: EntryDescription, _ rows: SurfaceDescription.Rows, hasWindow: Bool, isFirst: Bool
  ) -> Markup {
    let path = scope.path + entry.name
    let id = scope.id(entry.name)
    let words = PageWords.of(entry.name)
    let own = isFirst ? entries.deeds.filter { inRows[$0.entry.name] != nil } : []
    let items = Markup.tag(
      "ul", ["class": "rows"],
      [.tag("template", ["data-vm-each": path], self.rows(rows, path, own, isFlat: hasWindow))])
    let window = Markup.tag(
      "div",
      [
        "class": "window", "tabindex": "0", "role": "group", "aria-labelledby": id,
        "aria-label": id == nil ? words : nil, "data-vm-window": path,
      ], [items])
    let content =
      [scope.heading(words, id: id)] + (entry.explained.map { [.tag("p", ["class": "about"], $0)] } ?? [])
      + [.tag("p", ["class": "below", "data-vm-show": "\(path)/order=", "hidden": ""], "Nothing is here yet.")]
      + [hasWindow ? window : items]
    return scope.isInRow
      ? .tag("div", ["role": "group", "aria-label": words], content)
      : .tag("section", ["class": "card", "aria-labelledby": id], content)
  }

  /// - Parameter isFlat: whether a row is one line, as those of a window are all of one height. It has no forms then and
  ///   no parts.
  private func rows(
    _ rows: SurfaceDescription.Rows, _ list: String, _ own: [PageEntries.Deed], isFlat: Bool
  ) -> [Markup] {
    switch rows {
    case .same(let row): return [self.row(row(), list, own, kind: nil, isFlat: isFlat)]
    case .kinds(let kinds?): return kinds.map { self.row($0(), list, own, kind: $0().name, isFlat: isFlat) }
    case .kinds(nil):
      return [
        .tag(
          "li", ["class": "item"],
          [
            .tag("strong", ["data-vm-text": "kind"]),
            .tag("json-value", ["data-vm-prop-value": "."]),
          ])
      ]
    }
  }

  private func row(
    _ surface: SurfaceDescription, _ list: String, _ own: [PageEntries.Deed], kind: String?, isFlat: Bool
  ) -> Markup {
    let inner = PagePart(surface, scope.row(surface))
    let title = inner.entries.title
    let isKnown = scope.within.contains(surface.identity)
    let buttons = own.map { deeds.button($0, outer: "../", key: inRows[$0.entry.name], title: title) }
    let content: [Markup] =
      (kind.map { [.tag("span", ["class": "kind"], PageWords.of($0))] } ?? [])
      + (isKnown ? [.tag("json-value", ["data-vm-prop-value": "."])] : inner.rowContent(more: buttons, isFlat: isFlat))
    let needsKey = content.contains { $0.hasForm }
    return .tag(
      "li",
      [
        "class": "item", "data-vm-kind": kind, "data-page-row": needsKey ? list : nil,
        "data-vm-attr-data-page-key": needsKey ? "#" : nil,
      ], content)
  }

  /// The part in a row: its title, its values, its form and the rest, without cards.
  ///
  /// - Parameter more: the buttons of the list's owner.
  private func rowContent(more: [Markup] = [], isFlat: Bool = false) -> [Markup] {
    let plain = plainDeeds
    let title = entries.title
    let shown = entries.facts.filter { $0.path != title }
    let head: [Markup] =
      if let title, entries.facts.contains(where: { $0.path == title }) {
        [.tag("strong", ["data-vm-text": scope.path + title])]
      } else { [] }
    let inputs = inputs
    let isLong = !isFlat && entries.inputs.count > Self.mostBeside
    let form =
      (isLong ? [.tag("div", ["class": "inputs"], inputs)] : inputs)
      + buttons(plain, title: title.map { scope.path + $0 }, more: more)
    let body: [Markup] =
      if let submit = entries.submit {
        [Markup.tag("form", ["class": "line"], form).with(deeds.doing(submit))]
      } else { form }
    let line = signs + head + PageFacts.list(shown + entries.writes, in: scope, style: "bits") + body
    if isFlat { return line }
    return line + deeds.runs(plain) + asks + PageUploads(scope: scope).sections(entries.uploads) + parts
      + entries.lists.enumerated().map { list($1.entry, $1.rows, hasWindow: $1.hasWindow, isFirst: $0 == 0) }
  }
}

extension Markup {
  /// Whether a form of `euripus-page.js` is in it.
  var hasForm: Bool {
    guard case .element(_, let attributes, let content) = self else { return false }
    return attributes.contains { $0.name == "data-page-do" || $0.name == "data-page-set" }
      || content.contains(where: \.hasForm)
  }

  /// Whether it needs `euripus-page.js`.
  var needsScript: Bool {
    guard case .element(let name, _, let content) = self else { return false }
    return name == "json-value" || hasForm || content.contains(where: \.needsScript)
  }
}
