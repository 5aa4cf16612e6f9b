// SPDX-License-Identifier: MIT
import Locking
import ObservableCore

/// A value that an app's `start` makes, for its view models and routes.
///
/// ```swift
/// @Service var desk: Desk
/// var models: Models { hosting { context in Ticket(desk, context) } }
/// ```
///
/// `models` and `routes` are read before `start` is called, as other commands read them too. So they use a service only in
/// the closures that make view models and answer requests.
@propertyWrapper public struct Service<Value: Sendable>: Sendable, Decodable {
  private let value = Locked<Value?>(nil)

  public init() {}

  /// An option that the command line does not have.
  public init(from _: any Decoder) {}

  /// The value.
  ///
  /// - Precondition: `start` has set it.
  public var wrappedValue: Value {
    get {
      guard let value = value.withLock({ $0 }) else {
        stopProgram(
          "a service of the type \(Value.self) was asked for, and is not there",
          expected: "it to be set by 'start', which 'serve' alone calls",
          remedy: "use it in the closures that make view models and answer requests, and set it in 'start'")
      }
      return value
    }
    nonmutating set { value.withLock { $0 = newValue } }
  }
}
