// SPDX-License-Identifier: MIT
public import JSONPatching
public import ViewModels

/// Drives a view model through its surface, without a server: what a client could do, and nothing else.
///
/// ```swift
/// let login = try ModelDriver(LoginViewModel.self)
/// try login.perform("usernameDidChange", "maruko")
/// #expect(login["usernameValid"] == true)
/// ```
public final class ModelDriver {
  private let model: any HostedModel

  public init<Model: ViewModel>(_ type: Model.Type) throws { model = try HostedModelType(type).make() }

  /// Performs an action; `nil` stands for an empty body.
  ///
  /// - Throws: `SurfaceError` where a client would be refused, or `ViewModelFailure` for what the view model threw.
  public func perform(_ action: String, _ value: JSON? = nil) throws { try model.perform(action, value) }

  /// Sets a two-way value or a secret.
  ///
  /// - Throws: as `perform`.
  public func set(_ name: String, _ value: JSON) throws { try model.assign(name, value) }

  /// The state as a client sees it.
  public var state: JSON {
    var writer = JSONWriter()
    model.writeState(to: &writer)
    do { return try JSONReader.read(writer.bytes) } catch {
      preconditionFailure("the state is not JSON, \(error): \(String(decoding: writer.bytes, as: UTF8.self))")
    }
  }

  /// A member of the state; `nil` for one that is absent.
  public subscript(name: String) -> JSON? { state[name] }

  /// The names of the values that changed since this was last asked, in the order of the surface.
  public func takeChanges() -> [String] { model.takeChanges().map { model.labels[$0].name } }
}
