// SPDX-License-Identifier: MIT
public import Euripus

/// The sign-up page: a name and a password of at least five characters, each with a hint; the password is closed
/// until the name is valid (S3-7 to S3-13).
///
/// Length is in characters as a person counts them: Swift's `count`.
public final class SignUpViewModel: ViewModel {
  lazy var username = Field(self, "")
  lazy var password = Field(self, "")
  lazy var everythingValid = Computed(self) { $0.fieldsAreValid }
  @Observed(cutOff: .never) var alert: AlertViewModel? = nil

  public init() {}

  func signUp() { alert = makeAlert() }

  private func makeAlert() -> AlertViewModel {
    let alert = AlertViewModel("RxExample", "This is wonderful", button: "Ok")
    alert.close.handle(self) { page, _ in page.alert = nil }
    return alert
  }

  public static let surface = Surface<SignUpViewModel>(
    "signup",
    about: "A sign-up page: a name and a password, which is closed until the name is valid.",
    .field("username", \.username, .required(hint), .length(5..., hint)),
    .secretField("password", \.password, .required(hint), .length(5..., hint), when: \.username.isValid),
    // There from the start, unlike errors.
    .value("usernameHint", \.username.message),
    .value("passwordHint", \.password.message),
    .value("everythingValid", \.everythingValid),
    .nested("alert", \.$alert) { page in page.makeAlert() }.about("A message that stays until it is closed."),
    .action("signUp", SignUpViewModel.signUp, when: \.everythingValid))
}

private let hint = "Use at least 5 characters"
