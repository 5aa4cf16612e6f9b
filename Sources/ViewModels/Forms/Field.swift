// SPDX-License-Identifier: MIT
public import JSONPatching
public import ObservableCore

/// A field of a form: a value, whether a person has touched it, and the message of the first rule that the value breaks.
///
/// ```swift
/// final class Registration: ViewModel {
///   lazy var email = Field(self, "")
///   lazy var age = Field<Int?>(self, nil)
///
///   func send() {
///     guard checkFields() else { return }
///     if isKnown(email.value) { email.refuse("There is an account with this address") }
///   }
///
///   static let surface = Surface<Registration>(
///     "registration",
///     .field("email", \.email, .required, .length(...254), .matches(".+@.+", "An address has an @")),
///     .field("age", \.age, .range(18...120)),
///     .action("send", Registration.send))
/// }
/// ```
///
/// The rules stand on the surface, where the description of the server and the page have them from. A value that breaks one is
/// taken all the same, since a form has drafts: an action asks ``ViewModel/checkFields()``, or stands under the condition
/// ``ViewModel/fieldsAreValid``.
public final class Field<Value: JSONRepresentable & Equatable> {
  /// The first reason for which the value is refused: the message of ``refuse(_:)``, or of the first rule that it breaks.
  public let message: ObservableValue<String?>
  /// The message for a page: the same once the field is touched, and `nil` before.
  public let error: ObservableValue<String?>

  let content: Observable<Value>
  let touched: Observable<Bool>
  let refusal: Observable<String?>
  private let initial: Value

  /// A field of a view model's, for a `lazy var` of it.
  ///
  /// - Precondition: the surface of the view model has it as a `.field`, or a `.secretField`.
  public init<Owner: ViewModel>(
    _ owner: Owner, _ value: Value, name: StaticString = "", file: StaticString = #fileID, line: UInt = #line
  ) {
    let content = Observable(value, name: name, file: file, line: line)
    let touched = Observable(false, file: file, line: line)
    let refusal = Observable<String?>(nil, file: file, line: line)
    let message = Computed<String?>(owner, file: file, line: line) { owner in
      try refusal.get() ?? Owner.surface.rules.firstBroken(by: content, of: owner)
    }
    initial = value
    self.content = content
    self.touched = touched
    self.refusal = refusal
    self.message = message
    error = Computed(file: file, line: line) { try touched.get() ? message.get() : nil }
  }

  /// The present value. Reading it in a formula makes it an input; assigning it ends a refusal, and touches nothing.
  public var value: Value {
    get { content.value }
    set {
      content.value = newValue
      refusal.value = nil
    }
  }

  /// The value, to be observed.
  public var observable: ObservableValue<Value> { content }

  /// Whether the value breaks no rule, and is not refused.
  public var isValid: Bool {
    do { return try message.get() == nil } catch { return false }
  }

  /// Whether a person has written it, or it was touched for them.
  public var isTouched: Bool { touched.value }

  /// Lets its error be shown.
  public func touch() { touched.value = true }

  /// Refuses the value with a message, until it is written again, and touches the field.
  public func refuse(_ message: String) {
    refusal.value = message
    touch()
  }

  /// Makes the field as it was at first: its first value, untouched.
  public func reset() {
    value = initial
    touched.value = false
  }

  /// Writes the value for a person.
  func edit(_ value: Value) throws {
    try content.set(value)
    try refusal.set(nil)
    try touched.set(true)
  }
}

extension Field: AnyField {}

/// A field, whatever the type of its value.
protocol AnyField: AnyObject {
  var isValid: Bool { get }
  func touch()
}
