// SPDX-License-Identifier: MIT
public import ObservableCore

extension SurfaceEntry {
  /// A view model within this one, which is never replaced. Its state is an object under `name`; the paths of
  /// its values and actions go on below that (S1-12).
  public static func nested<Child: ViewModel>(_ name: String, _ property: @escaping Property<Child>) -> Self {
    nested(name, property, Child.description)
  }

  /// A coordinator within this view model, with the kinds of its pages (S3-14).
  ///
  /// - Parameters:
  ///   - first: a kind of page.
  ///   - others: all other kinds of pages. This is not checked: a page of a kind that is not named is shown, but the
  ///     server's description (OpenAPI) and the types of clients lack it.
  public static func nested(
    _ name: String, _ property: @escaping Property<Coordinator>, pages first: any ViewModel.Type,
    _ others: any ViewModel.Type...
  ) -> Self {
    nested(name, property) { Coordinator.surface.description.withKinds([first] + others) }
  }

  private static func nested<Child: ViewModel>(
    _ name: String, _ property: @escaping Property<Child>, _ description: @escaping SurfaceDescription.Reference
  ) -> Self {
    var entry = part(name, .nested(description, isOptional: false), stored: .nested(name) { property($0) }) { model in
      property(model).part
    } prepare: { model, change, path throws(SurfaceError) in
      try property(model).prepare(change, path)
    }
    if Child.self is Coordinator.Type { entry.address = .path { property($0) as? Coordinator } }
    return entry
  }

  /// A view model within this one, which may be replaced or absent. While it is absent its state is `null`.
  ///
  /// - Parameter remake: makes the child when a session is restored that had one, and `init` makes none. Then the child's
  ///   values are restored. Without it such a session cannot be restored (``StoredStateError/unreadable(_:)``).
  public static func nested<Child: ViewModel, Source: ObservableValue<Child?>>(
    _ name: String, _ property: @escaping Property<Source>, remake: (@Sendable (Model) -> Child)? = nil
  ) -> Self {
    let stored = Surface<Model>.Stored.optional(name, { property($0) }, make: remake)
    return part(name, .nested(Child.description, isOptional: true), stored: stored) { model in
      OptionalPart(property(model))
    } prepare: { model, change, path throws(SurfaceError) in
      guard let child = try? property(model).get() else { throw .absent(change.name) }
      return try child.prepare(change, path)
    }
  }

  /// A list of view models of one kind, by key (S1-9): `{"order":[…],"items":{…}}`. If the list has a window,
  /// so does the state: `"count"` and `"window"`.
  ///
  /// - Parameters:
  ///   - hasWindow: whether the list has a window. The server's description says so before there is a list, so
  ///     it has to be true of the list.
  ///   - remake: makes the row of a key when a session is restored whose list had a row that `init` does not add. Then
  ///     the row's values are restored. Without it such a session cannot be restored
  ///     (``StoredStateError/unreadable(_:)``), unless the list's order is not stored (`orderNotStored()`).
  public static func list<Row: ViewModel>(
    _ name: String, _ property: @escaping Property<KeyedList<Row>>, hasWindow: Bool = false,
    remake: (@Sendable (Model, _ key: String) -> Row)? = nil
  ) -> Self {
    list(
      name, .same(Row.description), hasWindow: hasWindow,
      stored: .list(
        name, { property($0) }, hasKinds: false, hasVariables: { Row.surface.description.mayHaveVariables },
        make: Surface<Model>.rowMaker(remake))
    ) { property($0).core }
  }

  /// A list of view models of different kinds, by key. Each item has its kind, the name of its surface, as
  /// `"kind"`.
  ///
  /// - Parameters:
  ///   - kinds: all the kinds of rows. This is not checked: a row of a kind that is not named is shown, but the
  ///     server's description (OpenAPI) and the types of clients lack it. By default rows are of any kind, and the
  ///     description has no more of them than `"kind"`.
  ///   - hasWindow: as for a list of one kind.
  ///   - remake: makes a row again, as for a list of one kind; it returns `nil` for an unknown kind.
  public static func list(
    _ name: String, _ property: @escaping Property<KeyedList<any ViewModel>>, of kinds: any ViewModel.Type...,
    hasWindow: Bool = false, remake: (@Sendable (Model, _ key: String, _ kind: String) -> (any ViewModel)?)? = nil
  ) -> Self {
    list(
      name, .kinds(SurfaceDescription.references(kinds)), hasWindow: hasWindow,
      stored: .list(
        name, { property($0) }, hasKinds: true, hasVariables: { true }, make: Surface<Model>.rowMaker(remake))
    ) { property($0).core }
  }

  /// The modules of a page, by key: a list of view models of different kinds. The top module comes first, the
  /// bottom one last.
  ///
  /// - Parameters:
  ///   - kinds: as for a list of different kinds.
  ///   - remake: likewise. The module is not told of earlier events of the page.
  public static func modules(
    _ name: String, _ property: @escaping Property<ModulePage>, of kinds: any Module.Type...,
    remake: (@Sendable (Model, _ key: String, _ kind: String) -> (any Module)?)? = nil
  ) -> Self {
    list(
      name, .kinds(SurfaceDescription.references(kinds)), hasWindow: false,
      stored: .modules(name, { property($0) }, make: Surface<Model>.rowMaker(remake))
    ) { property($0).list.core }
  }

  private static func list(
    _ name: String, _ rows: SurfaceDescription.Rows, hasWindow: Bool, stored: Surface<Model>.Stored,
    _ core: @escaping @Sendable (Model) -> KeyedListCore
  ) -> Self {
    let form = EntryForm.list(rows, hasWindow: hasWindow)
    let nodeName = NodeName(name)
    return part(name, form, stored: stored) { model in
      let core = core(model)
      core.order.call(nodeName)
      if hasWindow != (core.window != nil) {
        stopProgram(
          "list '\(name)': its surface says that it has \(hasWindow ? "a" : "no") window, and it has \(hasWindow ? "none" : "one")",
          expected: "both to say the same", remedy: "write 'hasWindow: true' with 'KeyedList(window: …)', or neither")
      }
      return ListPart(core, showsKinds: rows.areOfKinds)
    } prepare: { model, change, path throws(SurfaceError) in
      try core(model).prepare(change, path)
    }
  }

  static func part(
    _ name: String, _ form: EntryForm, stored: Surface<Model>.Stored,
    _ content: @escaping @Sendable (Model) -> StatePart,
    prepare: @escaping SurfaceInput.Prepare<Model>
  ) -> Self {
    let input = SurfaceInput(Model.self, name, isPart: true, prepare)
    return Self(
      description: .init(name: name, form: form),
      output: .init(name: name) { .part(content($0)) }, action: input, value: input,
      stored: stored)
  }
}

extension SurfaceDescription.Rows {
  /// Whether each row has its kind.
  fileprivate var areOfKinds: Bool {
    switch self {
    case .same: false
    case .kinds: true
    }
  }
}
