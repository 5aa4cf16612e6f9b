// SPDX-License-Identifier: MIT
public import Euripus

/// The way from a login page in: it looks the name and the password up among the users, and signs the client in.
public final class LoginDoor {
  private let context: SessionContext
  private let users: UserStore
  /// The observer of the languages that the client prefers.
  private let languagesDidChange = Observer<[String]>()
  private let userDidChange = Observer<User?>()
  /// The network of the request that asks to come in.
  private var network = ""

  public init(_ context: SessionContext, _ users: UserStore) { (self.context, self.users) = (context, users) }

  /// Keeps the page's words in the language that the client prefers, now and whenever its languages change. When the
  /// user signs out, the page asks for a login again.
  func attend(to page: LoginViewModel) {
    page.words = LoginWords(for: context.languages.value)
    languagesDidChange.handle(page) { page, languages in page.words = LoginWords(for: languages) }
    languagesDidChange.subscribe(context.languages)
    userDidChange.handle(page) { page, user in if user == nil { page.welcomed = nil } }
    userDidChange.subscribe(context.user)
  }

  /// Takes note of the client at the door: to be called in the action that starts the login.
  func note() { network = context.action?.network ?? "" }

  /// Logs in, and tells the page. In English the form is emptied of its password, too; the document's form stays as it
  /// is.
  func enter(_ page: LoginViewModel) async throws {
    // Another window of the session may type meanwhile.
    let (name, password) = (page.username, page.password)
    do {
      try context.signIn(try await users.logIn(name, password, from: context.client, in: network))
      page.instruction.value = page.words.success
      if page.words != .document { (page.password, page.welcomed) = ("", name) }
    } catch let refusal as LoginRefusal {
      page.instruction.value = page.words.words(for: refusal)
    } catch is SigningInNeedsRequest {
      page.instruction.value = page.words.words(for: .failed)
    }
  }
}
