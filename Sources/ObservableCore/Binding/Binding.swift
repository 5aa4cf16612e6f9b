// SPDX-License-Identifier: MIT

/// The tie between a view and a model's observables by key paths, which writes them without hearing its own writes.
///
/// ```swift
/// final class ProfileView {
///   lazy var binding = Binding<ProfileView, Profile>(self)
///     .bind(\.title) { me, title in me.titleField.text = title }
///     .bind(\.instruction) { me, instruction in me.label.text = instruction }
///
///   func show(_ profile: Profile) { binding.model = profile }
///   func titleWasEdited() throws { try binding.update(\.title, titleField.text) }
/// }
/// ```
///
/// Binding and setting the model may come in either order (S4-7). A callback gets the view, which it does not keep
/// alive, and at first the present value, unless that is `nil` (S4-2); then each change of its own key (S4-3).
///
/// Any ``ObservableValue`` can be bound; only a key path to an ``Observable`` can be updated as well, which the
/// compiler checks (S4-10, S4-11). The binding keeps neither the view nor the model alive; when it goes, which is with
/// the view that holds it, it is heard no more (S4-6).
///
/// Not `Sendable`: one actor at a time.
public final class Binding<View: AnyObject, Model: AnyObject> {
  private weak var view: View?
  private var keys: [BoundKey<Model>] = []

  /// The model that is bound; `nil` if there is none, or it has gone.
  ///
  /// Setting it ends the binding of the one before; every key follows, and is told its present value (S4-8).
  public weak var model: Model? { didSet { followModel() } }

  /// A binding of `view` without a model.
  public init(_ view: View) { self.view = view }

  deinit { for key in keys { key.unbind() } }

  /// Has `callback` called with the value at `keyPath`, now if it is there, and at each change. It takes the place of an
  /// earlier one for the key path (S4-9).
  @discardableResult
  public func bind<Value, Source: ObservableValue<Value>>(
    _ keyPath: KeyPath<Model, Source>, _ callback: @escaping (View, Value) throws -> Void
  ) -> Self {
    bind(keyPath, callback) { _ in true }
  }

  /// The same for an optional: a present `nil` is not told, a later one is.
  @discardableResult
  public func bind<Wrapped, Source: ObservableValue<Wrapped?>>(
    _ keyPath: KeyPath<Model, Source>, _ callback: @escaping (View, Wrapped?) throws -> Void
  ) -> Self {
    bind(keyPath, callback) { $0 != nil }
  }

  private func bind<Value, Source: ObservableValue<Value>>(
    _ keyPath: KeyPath<Model, Source>, _ callback: @escaping (View, Value) throws -> Void,
    replayingIf isReplayed: @escaping (Value) -> Bool
  ) -> Self {
    let observer = Observer<Value>()
    if let view { observer.handle(view, callback) }
    let key = BoundKey<Model>(keyPath) { key, model in
      let source = model[keyPath: keyPath]
      key.subscription = source.addObserver(observer)
      // A computed may hold an error in place of a value; the value that follows it is told.
      if let value = try? source.get(), isReplayed(value) { observer.replay(value) }
    }
    if let index = keys.firstIndex(where: { $0.keyPath == keyPath }) {
      keys[index].retire()
      keys[index] = key
    } else {
      keys.append(key)
    }
    if let model { key.bind(to: model) }
    return self
  }

  /// Writes the value at `keyPath` for the view, which has it already: this binding is not told of it, all others are
  /// (S4-4). If the value is changed again before the others were told, by an observer for example, this binding is told
  /// the value that there is then.
  ///
  /// - Throws: ``ObservableError/noModel(_:)``, or an error of `Observable.set(_:)`.
  @discardableResult
  public func update<Value>(_ keyPath: KeyPath<Model, Observable<Value>>, _ value: Value) throws -> Self {
    guard let model else { throw ObservableError.noModel("\(keyPath)") }
    let key = keys.first { $0.keyPath == keyPath }
    try model[keyPath: keyPath].set(value, heardBy: key?.subscription)
    return self
  }

  private func followModel() {
    let followed = model
    for key in keys { key.unbind() }
    guard let followed else { return }
    for key in keys {
      // A callback may have set another model, whose turn it then was.
      guard model === followed else { return }
      key.bind(to: followed)
    }
  }
}
