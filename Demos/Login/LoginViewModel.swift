// SPDX-License-Identifier: MIT
public import Euripus

/// The login page: a name and a password of 6 to 24 characters, and one message, the name's first (S0-24 to S0-30).
///
/// The document says "more than 6", its code accepts 6; the code's rule is kept. Length is in UTF-16 units, as
/// `NSString.length`.
public final class LoginViewModel: ViewModel {
  @Observed var username = ""
  @Observed var password = ""
  let usernameValid = ObservableCombiner<Bool>(.every, false)
  let passwordValid = ObservableCombiner<Bool>(.every, false)
  let loginEnabled = ObservableCombiner<Bool>(.every, false)
  /// Follows both fields, and holds the success until one of them changes: a combiner can be written, a computed cannot.
  let instruction = ObservableCombiner<String>(.every, message("", ""))

  public init() {
    usernameValid.combine($username).handle { problem(of: $0) == nil }
    passwordValid.combine($password).handle { problem(of: $0) == nil }
    loginEnabled.combine(usernameValid, passwordValid).handle { $0 && $1 }
    instruction.combine($username, $password).handle(message(_:_:))
  }

  func usernameDidChange(_ text: String) { username = text }
  func passwordDidChange(_ text: String) { password = text }
  func loginTouched() { instruction.value = "登录成功(*^▽^*)" }

  public static let surface = Surface<LoginViewModel>(
    "login", about: "A login page: a name and a password of 6 to 24 characters, and one message.",
    .twoWay("username", \.$username),
    .secret("password", \.$password),
    .value("instruction", \.instruction).about("What is wrong, the name's fault first."),
    .value("usernameValid", \.usernameValid),
    .value("passwordValid", \.passwordValid),
    .value("loginEnabled", \.loginEnabled),
    .action("usernameDidChange", LoginViewModel.usernameDidChange),
    .action("passwordDidChange", LoginViewModel.passwordDidChange),
    .action("loginTouched", LoginViewModel.loginTouched, when: \.loginEnabled).about("Logs in."))
}

/// The fault of a name or a password, as the end of its message; `nil` if nothing is.
private func problem(of text: String) -> String? {
  switch text.utf16.count {
  case 0: "不能为空"
  case ..<6: "必须超过6个字符"
  case ...24: nil
  default: "不能超过24个字符"
  }
}

/// The message of the page: the first problem there is, the name's before the password's.
private func message(_ username: String, _ password: String) -> String {
  problem(of: username).map { "*用户名" + $0 } ?? problem(of: password).map { "*密码" + $0 } ?? ""
}
