// SPDX-License-Identifier: MIT

/// A tie between a view and a model's observables, by key paths. It writes the observables without being told
/// of its own writes.
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
/// Binding and setting the model may come in either order (S4-7). A callback gets the view, which it does not
/// keep alive. First it gets the present value, unless that is `nil` (S4-2); then each change at its own key
/// path (S4-3).
///
/// Any ``ObservableValue`` can be bound. Only a key path to an ``Observable`` can be updated too, which the
/// compiler checks (S4-10, S4-11). The binding keeps neither the view nor the model alive. When it goes, with
/// the view that holds it, its callbacks are no longer called (S4-6).
///
/// It is not `Sendable`: one actor uses it at a time.
public final class Binding<View: AnyObject, Model: AnyObject> {
  private weak var view: View?
  private var keys: [BoundKey<Model>] = []

  /// The bound model; `nil` if there is none, or if it has gone.
  ///
  /// Setting it ends the binding to the previous model. Every key path then follows the new model, and its
  /// callback gets the present value (S4-8).
  public weak var model: Model? { didSet { followModel() } }

  /// A binding of `view` without a model.
  public init(_ view: View) { self.view = view }

  deinit { for key in keys { key.unbind() } }

  /// Calls `callback` with the value at `keyPath`: now, if the model has one, and at each change. It replaces an
  /// earlier callback for the key path (S4-9).
  @discardableResult
  public func bind<Value, Source: ObservableValue<Value>>(
    _ keyPath: KeyPath<Model, Source>, _ callback: @escaping (View, Value) throws -> Void
  ) -> Self {
    bind(keyPath, callback) { _ in true }
  }

  /// The same for an optional: a present `nil` is not told, a later `nil` is.
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

  /// Writes the value at `keyPath` for the view, which has it already: the other observers are told, this
  /// binding is not (S4-4). If the value changes again before the others are told, by an observer for example,
  /// this binding is told that later value.
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
      // A callback may have set another model, which was bound in full then.
      guard model === followed else { return }
      key.bind(to: followed)
    }
  }
}
