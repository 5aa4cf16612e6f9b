// SPDX-License-Identifier: MIT
import ViewModels

/// The places of a part to which a person brings files: by a button, by dropping or by pasting them.
struct PageUploads {
  let scope: PageScope

  func sections(_ entries: [EntryDescription]) -> [Markup] { entries.map(section) }

  private func section(_ entry: EntryDescription) -> Markup {
    let path = scope.path + entry.name
    let id = scope.id(entry.name)
    let words = PageWords.of(entry.name)
    let content =
      [scope.heading(words, id: id)] + (entry.explained.map { [.tag("p", ["class": "about"], $0)] } ?? [])
      + [
        .tag(
          "label", ["class": "field"],
          [.text("Choose files, drop them here, or paste them "), .tag("input", ["type": "file"])]),
        .tag("ul", ["class": "rows"], [.tag("template", ["data-vm-each": "\(path)/files"], [Self.row])]),
      ]
    return .tag(
      scope.isInRow ? "div" : "section",
      [
        "class": scope.isInRow ? "files" : "card files", "data-vm-upload": path, "role": scope.isInRow ? "group" : nil,
        "aria-labelledby": id, "aria-label": id == nil ? words : nil,
      ], content)
  }

  /// A file: a picture of it, its name, how far it has come, what went wrong, and a button that takes it away.
  private static let row = Markup.tag(
    "li", ["class": "item"],
    [
      .tag("img", ["class": "preview", "data-vm-preview": "", "alt": "", "hidden": ""]),
      .tag("strong", ["data-vm-text": "name"]),
      .tag(
        "progress",
        [
          "data-vm-prop-max": "size", "data-vm-prop-value": "received", "data-vm-attr-aria-label": "name",
          "data-vm-show": "!ready", "hidden": "",
        ]),
      .tag(
        "span", ["class": "below", "role": "status", "data-vm-waiting": "", "hidden": ""], "Waits for the connection."),
      .tag(
        "span", ["class": "below", "role": "status", "data-vm-lost": "", "hidden": ""],
        "It has not come as a whole. Choose it again to go on."),
      .tag("span", ["class": "wrong", "role": "status", "data-vm-text": "error"]),
      .tag("button", ["type": "button", "class": "small quiet", "data-vm-do": "discard"], "Remove"),
    ])
}
