// SPDX-License-Identifier: MIT
public import Euripus

/// The login page: a name and a password of 6 to 24 characters, and one message, the name's first (S0-24 to S0-30).
///
/// The document says "more than 6", its code accepts 6; the code's rule is kept. Length is in UTF-16 units, as
/// `NSString.length`. By itself it is the document's, which says yes to everybody; with a ``LoginDoor`` it logs in.
public final class LoginViewModel: ViewModel {
  @Observed var username = ""
  @Observed var password = ""
  @Observed var words = LoginWords.document
  /// The name that has logged in, if the form was emptied of its password then.
  @Observed var welcomed: String?
  let usernameValid = ObservableCombiner<Bool>(.every, false)
  let passwordValid = ObservableCombiner<Bool>(.every, false)
  let loginEnabled = ObservableCombiner<Bool>(.every, false)
  /// Follows both fields, and holds the success until one of them changes: a combiner can be written, a computed
  /// cannot.
  let instruction = ObservableCombiner<String>(.every, LoginWords.document.message("", ""))
  private let door: LoginDoor?
  private lazy var entering = Command<Void, Void>(self, LoginViewModel.enter)

  public init(door: LoginDoor? = nil) {
    self.door = door
    usernameValid.combine($username.keptShort()).handle { LoginFault(in: $0) == nil }
    passwordValid.combine($password.keptShort()).handle { LoginFault(in: $0) == nil }
    loginEnabled.combine(usernameValid, passwordValid).handle { $0 && $1 }
    instruction.combine($words, $username, $password, $welcomed).handle { $0.message($1, $2, $3) }
    door?.attend(to: self)
  }

  func usernameDidChange(_ text: String) { username = text }
  func passwordDidChange(_ text: String) { password = text }
  func speak(_ words: LoginWords) { self.words = words }
  func loginTouched() {
    if door?.note() == nil { instruction.value = words.success } else { entering.execute((), isolation: nil) }
  }
  private func enter() async throws { try await door?.enter(self) }

  public static let surface = Surface<LoginViewModel>(
    "login", about: "A login page: a name and a password of 6 to 24 characters, and one message.",
    .twoWay("username", \.$username),
    .secret("password", \.$password),
    .value("instruction", \.instruction).about("What is wrong, the name's fault first."),
    .value("usernameValid", \.usernameValid), .value("passwordValid", \.passwordValid),
    .value("loginEnabled", \.loginEnabled),
    .stored("words", \.$words), .stored("welcomed", \.$welcomed),
    .action("usernameDidChange", LoginViewModel.usernameDidChange),
    .action("passwordDidChange", LoginViewModel.passwordDidChange),
    .action("loginTouched", LoginViewModel.loginTouched, when: \.loginEnabled).about("Logs in."),
    .action("speak", LoginViewModel.speak).about("Shows the message in another language."))
}
