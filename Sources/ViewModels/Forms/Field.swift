// SPDX-License-Identifier: MIT
public import JSONPatching
public import ObservableCore

/// A field of a form. It has a value, knows whether a person has touched it, and has the message of the first rule
/// that the value breaks.
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
/// The rules stand on the surface, from where the server's description and the page get them. A form has
/// drafts, so a value that breaks a rule is taken all the same. An action calls ``ViewModel/checkFields()``, or
/// stands under the condition ``ViewModel/fieldsAreValid``.
public final class Field<Value: JSONRepresentable & Equatable> {
  /// The reason why the value is refused: the message of ``refuse(_:)``, or else of the first rule that the
  /// value breaks.
  public let message: ObservableValue<String?>
  /// The message for a page: ``message`` once the field is touched, and `nil` before.
  public let error: ObservableValue<String?>

  let content: Observable<Value>
  let touched: Observable<Bool>
  let refusal: Observable<String?>
  private let initial: Value

  /// Makes a field of a view model, for a `lazy var` of it.
  ///
  /// - Precondition: the surface of the view model has it as a `.field` or a `.secretField`.
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

  /// The present value. A formula that reads it has it as an input. An assignment ends a refusal, and does not
  /// touch the field.
  public var value: Value {
    get { content.value }
    set {
      content.value = newValue
      refusal.value = nil
    }
  }

  /// The value as an observable.
  public var observable: ObservableValue<Value> { content }

  /// Whether the value breaks no rule, and is not refused.
  public var isValid: Bool {
    do { return try message.get() == nil } catch { return false }
  }

  /// Whether a person has written it, or code has called ``touch()``.
  public var isTouched: Bool { touched.value }

  /// Marks it as touched, so that its error is shown.
  public func touch() { touched.value = true }

  func forgetRefusal() { refusal.value = nil }

  /// Refuses the value with a message until it is next written or ``ViewModel/checkFields()`` is called, and touches the field.
  public func refuse(_ message: String) {
    refusal.value = message
    touch()
  }

  /// Gives the field its first value again, untouched.
  public func reset() {
    value = initial
    touched.value = false
  }

  /// Writes the value on behalf of a person.
  func edit(_ value: Value) throws {
    try content.set(value)
    try refusal.set(nil)
    try touched.set(true)
  }
}

extension Field: AnyField {}

extension ViewModel {
  /// Whether all fields of its surface keep their rules; fields of view models within it are not asked. A refusal does not
  /// count: the action that has refused decides anew.
  ///
  /// ```swift
  /// .action("send", Registration.send, when: \.fieldsAreValid)
  /// ```
  public var fieldsAreValid: Bool {
    Self.surface.rules.areKept(by: self)
  }

  /// Touches all fields of its surface, so that their errors are shown, ends earlier refusals, and says whether all keep
  /// their rules. It is meant for the first line of an action that submits them.
  public func checkFields() -> Bool {
    for field in Self.surface.rules.fields(of: self) {
      field.touch()
      field.forgetRefusal()
    }
    return fieldsAreValid
  }
}
