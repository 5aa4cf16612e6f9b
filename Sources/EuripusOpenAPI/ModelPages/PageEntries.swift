// SPDX-License-Identifier: MIT
import JSONPatching
import ViewModels

/// The entries of a surface, by their use on a page.
struct PageEntries {
  /// A value that a person writes into an input.
  struct Input {
    let entry: EntryDescription
    let control: PageControl
    /// Whether it is a field of a form, which has its value, its error and its bounds below its name.
    let isField: Bool
  }

  /// A value that is shown.
  struct Fact {
    let entry: EntryDescription
    /// The path of the value, below the part's.
    let path: String
    let control: PageControl
  }

  /// An action or a command.
  struct Deed {
    let entry: EntryDescription
    /// The control for its value; `nil` for one that takes none.
    let control: PageControl?
    /// The control that has the form of a command's result; `nil` for one without, and for an action.
    let result: PageControl?
    let isCommand: Bool
    let isConditional: Bool

    private static let dangers: Set = ["clear", "delete", "discard", "erase", "remove"]

    /// Whether it takes something away, by its name: a person is asked first, and Enter does not perform it.
    var isDangerous: Bool { Self.dangers.contains(PageWords.first(entry.name)) }
  }

  private(set) var inputs: [Input] = []
  /// Values that are written as a whole, such as arrays.
  private(set) var writes: [Fact] = []
  private(set) var facts: [Fact] = []
  /// Texts that tell a person something.
  private(set) var messages: [Fact] = []
  private(set) var deeds: [Deed] = []
  private(set) var lists: [(entry: EntryDescription, rows: SurfaceDescription.Rows, hasWindow: Bool)] = []
  private(set) var parts: [(entry: EntryDescription, surface: SurfaceDescription, isOptional: Bool)] = []
  /// The places to which files are sent.
  private(set) var uploads: [EntryDescription] = []

  /// The values that say whether an action is possible, by the action's name. Its button shows them.
  private(set) var conditions: [String: String] = [:]

  init(_ surface: SurfaceDescription) {
    for entry in surface.entries { add(entry) }
    deeds.removeAll(where: isEdit)
    for deed in deeds { conditions[deed.entry.name] = condition(deed) }
    facts.removeAll { conditions.values.contains($0.path) }
  }

  private mutating func add(_ entry: EntryDescription) {
    switch entry.form {
    case .value(let schema, let isWritable, _):
      let control = PageControl(schema)
      let fact = Fact(entry: entry, path: entry.name, control: control)
      if isWritable {
        if control.isBindable {
          inputs.append(Input(entry: entry, control: control, isField: false))
        } else {
          writes.append(fact)
        }
      } else if let last = Self.pulse(control) {
        facts.append(Fact(entry: entry, path: entry.name + "/value", control: last))
      } else if Self.isMessage(entry.name), case .text = control.form {
        messages.append(fact)
      } else {
        facts.append(fact)
      }
    case .secret: inputs.append(Input(entry: entry, control: .secret, isField: false))
    case .action(let takes, _, let isConditional):
      deeds.append(
        Deed(
          entry: entry, control: takes.map { PageControl($0) }, result: nil, isCommand: false,
          isConditional: isConditional))
    case .command(let takes, let result):
      deeds.append(
        Deed(
          entry: entry, control: takes.map { PageControl($0) },
          result: result.json["type"] == "null" ? nil : PageControl(result), isCommand: true, isConditional: false))
    case .nested(let child, let isOptional):
      let child = child()
      if let field = Self.field(entry, child) {
        inputs.append(field)
      } else {
        parts.append((entry, child, isOptional))
      }
    case .list(let rows, let hasWindow): lists.append((entry, rows, hasWindow))
    case .uploads: uploads.append(entry)
    }
  }

  /// The field of a form that a part is; `nil` for any other part.
  private static func field(_ entry: EntryDescription, _ child: SurfaceDescription) -> Input? {
    guard child.entries.map(\.name) == ["value", "error", "touched", "bounds"],
      case .value(let schema, _, _) = child.entries[3].form
    else { return nil }
    var bounds: [Markup.Attribute] = []
    if case .object(let properties)? = schema.json["properties"] {
      bounds = properties.compactMap { property in
        switch property.value["const"] {
        case .bool(true)?: Markup.Attribute(name: property.name, value: "")
        case .string(let text)?: Markup.Attribute(name: property.name, value: text)
        case .bool?, nil: nil
        case let value?:
          Markup.Attribute(name: property.name, value: String(decoding: JSON.text(of: value), as: UTF8.self))
        }
      }
    }
    var control = PageControl.secret
    if case .value(let value, _, _) = child.entries[0].form { control = PageControl(value) }
    control.bounds = bounds
    return Input(entry: entry, control: control, isField: true)
  }

  /// The control for the last value of a pulse; `nil` for any other value.
  private static func pulse(_ control: PageControl) -> PageControl? {
    guard case .members(let members) = control.form, members.map(\.name) == ["count", "value"] else { return nil }
    return members[1].control
  }

  /// Names of texts that tell a person something, with any words before them.
  private static func isMessage(_ name: String) -> Bool {
    let words = PageWords.of(name).lowercased().split(separator: " ")
    return words.last.map { messageWords.contains(String($0)) } ?? false
  }

  private static let messageWords: Set = [
    "error", "failure", "hint", "instruction", "message", "notice", "problem", "refusal", "toast", "warning",
  ]
}

extension PageEntries {
  /// Whether an action does what an input does: `nameDidChange` beside the value `name`.
  private func isEdit(_ deed: Deed) -> Bool {
    deed.control?.isText == true && inputs.contains { deed.entry.name == $0.entry.name + "DidChange" }
  }

  /// The value that says whether an action is possible, by the names of both; `nil` where no name says so.
  ///
  /// An action `add` has `canAdd` or `addEnabled`. The only action with a condition has `enabled`, or the only value whose
  /// name begins with `can` or ends with `Enabled`.
  private func condition(_ deed: Deed) -> String? {
    guard deed.isConditional else { return nil }
    let name = deed.entry.name
    let capital = name.prefix(1).uppercased() + name.dropFirst()
    let truths = facts.filter { $0.control.form == .tick }.map(\.path)
    if let own = truths.first(where: { ["can\(capital)", "\(name)Enabled", "is\(capital)Enabled"].contains($0) }) {
      return own
    }
    guard deeds.count(where: \.isConditional) == 1 else { return nil }
    let general = truths.filter {
      ["enabled", "isEnabled"].contains($0) || $0.hasSuffix("Enabled") || PageWords.first($0) == "can"
    }
    return general.count == 1 ? general[0] : nil
  }

  /// The texts about inputs, by the inputs' names: `nameHint` is about `name`.
  var hints: [String: Fact] {
    var hints: [String: Fact] = [:]
    for input in inputs {
      hints[input.entry.name] = messages.first { message in
        let name = message.path.dropFirst(input.entry.name.count)
        return message.path.hasPrefix(input.entry.name) && Self.messageWords.contains(name.lowercased())
      }
    }
    return hints
  }

  /// The action of the part's form, which Enter performs: the only one without a value, or the first where the part has
  /// fields of a form or a secret.
  var submit: Deed? {
    let plain = deeds.filter { $0.control == nil && PageSign($0) == nil && !$0.isDangerous }
    let isForm = inputs.contains { $0.isField || $0.control == .secret }
    return inputs.isEmpty || plain.count != 1 && !isForm ? nil : plain.first
  }

  /// The text by which a person knows a row: the one with such a name, or the first one; `nil` for a row without.
  var title: String? {
    let texts =
      (facts.map { ($0.path, $0.control) } + inputs.filter { !$0.isField }.map { ($0.entry.name, $0.control) })
      .filter { $0.1.isText && $0.0 != "id" }.map(\.0)
    return ["name", "title", "text", "subject", "label"].first(where: texts.contains) ?? texts.first
  }

  private static let rowVerbs: Set = [
    "archive", "close", "delete", "edit", "hide", "mark", "move", "open", "pick", "remove", "restore", "select",
    "toggle",
  ]

  /// Whether an action is one of the rows of the part's first list, which takes a row's key: `remove`.
  func takesKey(_ deed: Deed) -> Bool {
    guard let control = deed.control, !lists.isEmpty, !deed.isCommand else { return false }
    return Self.rowVerbs.contains(PageWords.first(deed.entry.name)) && control.isPlainText
  }

  /// The path in a row of the key that such an action takes: the row's own `id`, or its key in the list.
  static func key(ofRow row: PageEntries) -> String {
    row.facts.contains { $0.path == "id" && $0.control.isPlainText } ? "id" : "#"
  }
}

/// A sign of the device that an action hears, by the action's name (CLIENT.md, "The device").
enum PageSign: String {
  case visible, hidden, rotate

  init?(_ deed: PageEntries.Deed) {
    switch (deed.entry.name, deed.control == nil) {
    case ("willAppear", true), ("didAppear", true): self = .visible
    case ("willDisappear", true), ("didDisappear", true): self = .hidden
    case ("rotated", false): self = .rotate
    default: return nil
    }
  }
}
