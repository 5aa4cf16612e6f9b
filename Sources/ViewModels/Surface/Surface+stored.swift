// SPDX-License-Identifier: MIT
public import JSONPatching
public import ObservableCore

/// Entries that no client sees, and that a restart must not lose.
extension SurfaceEntry {
  /// A stored value that the view does not see.
  public static func stored<Value: JSONRepresentable, Source: ObservableValue<Value>>(
    _ name: String, _ property: @escaping Property<Source>
  ) -> Self {
    Self(stored: .value(name) { property($0) })
  }

  /// A stored variable of the view model. Putting it back assigns it up to three times, and its `didSet` runs.
  ///
  /// If an action is undone, a variable that it has changed is put back as well.
  public static func stored<Value: JSONRepresentable>(
    _ name: String, _ property: any ReferenceWritableKeyPath<Model, Value> & Sendable
  ) -> Self {
    Self(stored: .variable(name, property))
  }

  /// A combiner that maps several observables to several. It has no value, so only the progress of its
  /// ``CombineStrategy`` is stored: whether a `.first` has run, or which inputs of an `.all` have notified. An `.every`
  /// has no progress, and needs no such entry.
  ///
  /// Without the entry a `.first` runs once more after a restart, and an `.all` waits for every input again.
  public static func stored(_ name: String, _ property: @escaping Property<ObservableCombiner<Void>>) -> Self {
    Self(stored: .progress(name) { property($0) })
  }

  /// A command that the view does not see: its result or error, and whether it was executing.
  public static func stored<Input, Content: JSONRepresentable>(
    _ name: String, _ property: @escaping Property<Command<Input, Content>>
  ) -> Self {
    Self(stored: .command(name) { property($0) })
  }

  /// A command without a result that the view does not see.
  public static func stored<Input>(_ name: String, _ property: @escaping Property<Command<Input, Void>>) -> Self {
    Self(stored: .command(name) { property($0) })
  }

  /// A view model within this one that the view does not see.
  public static func stored<Child: ViewModel>(_ name: String, _ property: @escaping Property<Child>) -> Self {
    Self(stored: .nested(name) { property($0) })
  }

  /// A view model within this one that the view does not see, and that may be replaced or absent.
  ///
  /// - Parameter remake: as for ``nested(_:_:remake:)``.
  public static func stored<Child: ViewModel, Source: ObservableValue<Child?>>(
    _ name: String, _ property: @escaping Property<Source>, remake: (@Sendable (Model) -> Child)? = nil
  ) -> Self {
    Self(stored: .optional(name, { property($0) }, make: remake))
  }

  /// A list that the view does not see.
  ///
  /// - Parameter remake: as for a list that the view sees.
  public static func stored<Row: ViewModel>(
    _ name: String, _ property: @escaping Property<KeyedList<Row>>,
    remake: (@Sendable (Model, _ key: String) -> Row)? = nil
  ) -> Self {
    Self(
      stored: .list(
        name, { property($0) }, hasKinds: false, hasVariables: { Row.surface.description.mayHaveVariables },
        make: Surface<Model>.rowMaker(remake)))
  }

  /// The same entry, of which nothing is stored. It suits a value that follows something outside of the
  /// session, or that `init` makes anew.
  public func notStored() -> Self {
    var entry = self
    entry.stored = nil
    return entry
  }

  /// The same list, whose order is not stored. The rows that the view model has get the values that were stored
  /// under their keys. It suits a list that follows something outside of the session, and a long list that
  /// never changes.
  ///
  /// - Precondition: it is a list.
  public func orderNotStored(file: StaticString = #fileID, line: UInt = #line) -> Self {
    guard let withoutOrder = stored?.withoutOrder else {
      refuseToStart(
        "'\(stored?.name ?? "an entry of which nothing is stored")' has '.orderNotStored()'",
        expected: "it after a '.list'",
        remedy: "take it away, or write '.notStored()'", file: file, line: line)
    }
    return stored(as: withoutOrder())
  }

  func stored(as stored: Surface<Model>.Stored) -> Self {
    var entry = self
    entry.stored = stored
    return entry
  }
}
