// SPDX-License-Identifier: MIT
public import ObservableCore

extension Surface.Entry {
  /// A view model within this one, which stays the same: its state is an object under `name`, its values and actions have
  /// paths below that (S1-12).
  public static func nested<Child: ViewModel>(_ name: String, _ property: Property<Child>) -> Self {
    part(name) { model in
      model[keyPath: property].part(showsKind: false)
    } receive: { model, request, path throws(SurfaceError) in
      try model[keyPath: property].receive(request, path)
    }
  }

  /// A view model within this one, which may become another one or none: then its state is `null`.
  public static func nested<Child: ViewModel, Source: ObservableValue<Child?>>(
    _ name: String, _ property: Property<Source>
  ) -> Self {
    part(name) { model in
      OptionalPart(model[keyPath: property])
    } receive: { model, request, path throws(SurfaceError) in
      guard let child = try? model[keyPath: property].get() else { throw .absent(request.name) }
      return try child.receive(request, path)
    }
  }

  /// A list of view models of one kind, by key (S1-9): `{"order":[…],"items":{…}}`; and `"count"` and `"window"` if the list
  /// has a window.
  public static func list<Row: ViewModel>(_ name: String, _ property: Property<KeyedList<Row>>) -> Self {
    list(name, showsKinds: false) { $0[keyPath: property].core }
  }

  /// A list of view models of different kinds, by key: each item says as `"kind"` what it is, by its surface's name.
  public static func list(_ name: String, _ property: Property<KeyedList<any ViewModel>>) -> Self {
    list(name, showsKinds: true) { $0[keyPath: property].core }
  }

  /// The modules of a page, by key, the top one first and the bottom one last: a list of view models of different kinds.
  public static func modules(_ name: String, _ property: Property<ModulePage>) -> Self {
    list(name, showsKinds: true) { $0[keyPath: property].list.core }
  }

  static func list(_ name: String, showsKinds: Bool, _ core: @escaping @Sendable (Model) -> KeyedListCore) -> Self {
    part(name) { model in
      ListPart(core(model), showsKinds: showsKinds)
    } receive: { model, request, path throws(SurfaceError) in
      try core(model).receive(request, path)
    }
  }

  private static func part(
    _ name: String, _ content: @escaping @Sendable (Model) -> StatePart,
    receive: @escaping @Sendable (Model, SurfaceRequest, ArraySlice<String>) throws(SurfaceError) -> PreparedChange
  ) -> Self {
    let input = Surface<Model>.Input(name: name, isPart: true, receive: receive)
    return Self(
      output: .init(name: name, member: .part(leastLength: 2)) { .part(content($0)) }, action: input, value: input)
  }
}
