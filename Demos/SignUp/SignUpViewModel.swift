// SPDX-License-Identifier: MIT
public import Euripus

/// The sign-up page: a name and a password of at least five characters, each with a hint; the password is closed until the
/// name is valid (S3-7 to S3-13).
///
/// Length is in characters as a person counts them: Swift's `count`.
public final class SignUpViewModel: ViewModel {
  /// The least number of characters of a name, and of a password.
  public static let minimalLength = 5

  let username = Observable("", name: "username")
  let password = Observable("", name: "password")
  let usernameValid: Computed<Bool>
  let passwordValid: Computed<Bool>
  let everythingValid: Computed<Bool>
  let usernameHint: Computed<String?>
  let passwordHint: Computed<String?>
  let alert = Observable<AlertViewModel?>(nil, cutOff: .never, name: "alert")
  let signUp = Observer<Void>()

  /// - Parameter isValid: the rule for a name and for a password.
  public init(isValid: @escaping (String) -> Bool = { $0.count >= minimalLength }) {
    let (username, password) = (username, password)
    let usernameValid = Computed(name: "usernameValid") { isValid(username.value) }
    let passwordValid = Computed(name: "passwordValid") { isValid(password.value) }
    self.usernameValid = usernameValid
    self.passwordValid = passwordValid
    everythingValid = Computed(name: "everythingValid") { usernameValid.value && passwordValid.value }
    usernameHint = Computed(name: "usernameHint") { usernameValid.value ? nil : hint("Username") }
    passwordHint = Computed(name: "passwordHint") { passwordValid.value ? nil : hint("Password") }

    signUp.handle(self) { page, _ in page.alert.value = page.makeAlert() }
  }

  private func makeAlert() -> AlertViewModel {
    let alert = AlertViewModel("RxExample", "This is wonderful", button: "Ok")
    alert.close.handle(self) { page, _ in page.alert.value = nil }
    return alert
  }

  public static let surface = Surface<SignUpViewModel>(
    "signup",
    about: "A sign-up page: a name and a password, which is closed until the name is valid.",
    .twoWay("username", \.username),
    .secret("password", \.password, when: \.usernameValid),
    .value("usernameValid", \.usernameValid),
    .value("passwordValid", \.passwordValid),
    .value("everythingValid", \.everythingValid),
    .value("usernameHint", \.usernameHint),
    .value("passwordHint", \.passwordHint),
    .nested("alert", \.alert) { page in page.makeAlert() }.about("A message that stays until it is closed."),
    .action("signUp", \.signUp, when: \.everythingValid))
}

private func hint(_ name: String) -> String {
  "\(name) has to be at least \(SignUpViewModel.minimalLength) characters"
}
