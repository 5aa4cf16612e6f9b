// SPDX-License-Identifier: MIT
import EuripusServer
import JSONPatching
import ViewModels

/// The places of a view model's values and actions: the paths below `state/` and below `actions/`, with `{key}` for
/// the key of a row, `{key2}` for that of a row within it, and so on.
///
/// View models of one type within each other have endless paths. Those are followed once round.
struct SurfacePaths {
  /// One declaration that a path leads to; to a path below rows of different kinds there may be several.
  struct Leaf {
    enum Form {
      /// - Parameter isConditional: whether the view model may refuse the writing at times.
      case value(JSONSchema, isWritable: Bool, isConditional: Bool)
      case secret(isConditional: Bool)
      case action(takes: JSONSchema?, result: JSONSchema?, isConditional: Bool)
      case command(takes: JSONSchema?, result: JSONSchema)
    }
    let form: Form
    let about: String?
    /// An action's value as a form has it; `nil` where no form can.
    var asForm: JSONSchema?
    /// Whether it is for some users alone.
    let isLimited: Bool
  }

  /// The values by path, in the order of the declarations.
  private(set) var values: [(path: String, leaves: [Leaf])] = []
  private(set) var actions: [(path: String, leaves: [Leaf])] = []
  /// The paths to which files are sent.
  private(set) var uploads: [String] = []

  /// Whether the entry that is looked at is for some users alone.
  private var isLimited = false

  /// - Parameter schemas: takes in the schemas of the states that are met.
  init(_ surface: SurfaceDescription, _ schemas: inout StateSchemas) {
    walk(surface, at: "", keys: 0, within: [], &schemas)
  }

  private mutating func walk(
    _ surface: SurfaceDescription, at prefix: String, keys: Int, within: [SurfaceDescription.Identity],
    _ schemas: inout StateSchemas
  ) {
    if within.contains(surface.identity) { return }
    let within = within + [surface.identity]
    for entry in surface.entries {
      let outer = isLimited
      isLimited = outer || entry.audience != nil
      defer { isLimited = outer }
      let path = prefix + entry.name
      let name = StateSchemas.name(entry, of: surface)
      switch entry.form {
      case .value(let schema, let isWritable, let isConditional):
        let schema = schemas.shelf.place(schema, named: name)
        add(value: .value(schema, isWritable: isWritable, isConditional: isConditional), entry.explained, path)
      case .secret(let isConditional): add(value: .secret(isConditional: isConditional), entry.explained, path)
      case .action(let takes, let result, let isConditional):
        let shape = takes.flatMap { FormShape(of: $0) }
        let takes = takes.map { schemas.shelf.place($0, named: name) }
        let result = result.map { schemas.shelf.place($0, named: name + "Result") }
        add(
          action: .action(takes: takes, result: result, isConditional: isConditional), entry.explained,
          asForm: takes.flatMap { shape?.schema($0) }, path)
      case .command(let takes, let result):
        let shape = takes.flatMap { FormShape(of: $0) }
        let takes = takes.map { schemas.shelf.place($0, named: name) }
        let result = schemas.shelf.place(result, named: name + "Result")
        add(value: Self.shown(schemas.command(result, named: name)), entry.explained, path)
        add(
          action: .command(takes: takes, result: result), entry.explained, asForm: takes.flatMap { shape?.schema($0) },
          path)
      case .nested(let child, let isOptional):
        let child = child()
        let state = schemas.state(of: child)
        add(value: Self.shown(isOptional ? .any(of: [state, .null]) : state), entry.explained, path)
        walk(child, at: path + "/", keys: keys, within: within, &schemas)
      case .uploads(let child):
        let child = child()
        if !uploads.contains(path) { uploads.append(path) }
        add(value: Self.shown(schemas.state(of: child)), entry.explained, path)
        walk(child, at: path + "/", keys: keys, within: within, &schemas)
      case .list(let rows, let hasWindow):
        add(value: Self.shown(schemas.list(rows, hasWindow: hasWindow, named: name)), entry.explained, path)
        if hasWindow {
          let window = schemas.shelf.place(ListWindow.jsonSchema, named: name + "Window")
          add(
            value: .value(window, isWritable: true, isConditional: false),
            "Which rows are shown.", path + "/window")
        }
        let row = "\(path)/items/{\(Self.parameter(keys))}"
        add(value: Self.shown(schemas.row(rows, named: name)), "One row.", row)
        for surface in rows.surfaces { walk(surface, at: row + "/", keys: keys + 1, within: within, &schemas) }
      }
    }
  }

  /// The name of the path's next parameter.
  static func parameter(_ keys: Int) -> String { keys == 0 ? "key" : "key\(keys + 1)" }

  private static func shown(_ schema: JSONSchema) -> Leaf.Form {
    .value(schema, isWritable: false, isConditional: false)
  }

  private mutating func add(value form: Leaf.Form, _ about: String?, _ path: String) {
    Self.add(Leaf(form: form, about: about, isLimited: isLimited), path, to: &values)
  }

  private mutating func add(action form: Leaf.Form, _ about: String?, asForm: JSONSchema?, _ path: String) {
    Self.add(Leaf(form: form, about: about, asForm: asForm, isLimited: isLimited), path, to: &actions)
  }

  private static func add(_ leaf: Leaf, _ path: String, to paths: inout [(path: String, leaves: [Leaf])]) {
    if let index = paths.firstIndex(where: { $0.path == path }) {
      paths[index].leaves.append(leaf)
    } else {
      paths.append((path, [leaf]))
    }
  }
}

extension SurfaceDescription.Rows {
  /// The kinds of rows, as far as they are known.
  var surfaces: [SurfaceDescription] {
    switch self {
    case .same(let row): [row()]
    case .kinds(let kinds): (kinds ?? []).map { $0() }
    }
  }
}

extension EntryDescription {
  /// The sentences about it, and about the users that it is for.
  var explained: String? {
    let limit = audience.map { isHidden ? "Absent but for \($0.words)." : "For \($0.words) alone." }
    let all = [about, limit].compactMap(\.self)
    return all.isEmpty ? nil : all.joined(separator: " ")
  }
}
