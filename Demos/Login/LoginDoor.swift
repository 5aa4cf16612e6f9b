// SPDX-License-Identifier: MIT
public import Euripus

/// The way from a login page in: it looks the name and the password up among the users, and signs the client in.
public final class LoginDoor {
  private let context: SessionContext
  private let users: UserStore
  /// The observer of the languages that the client prefers.
  private let languagesDidChange = Observer<[String]>()
  /// The network of the request that asks to come in.
  private var network = ""

  public init(_ context: SessionContext, _ users: UserStore) { (self.context, self.users) = (context, users) }

  /// Keeps `words` in the language that the client prefers, now and whenever its languages change.
  func tellWords(to words: Observable<LoginWords>) {
    words.value = LoginWords(for: context.languages.value)
    languagesDidChange.handle(words) { words, languages in words.value = LoginWords(for: languages) }
    languagesDidChange.subscribe(context.languages)
  }

  /// Takes note of the client at the door: to be called in the action that starts the login.
  func note() { network = context.action?.network ?? "" }

  /// Logs in, and gives the message for the page.
  func enter(_ name: String, _ password: String, _ words: LoginWords) async throws -> String {
    do {
      try context.signIn(try await users.logIn(name, password, from: context.client, in: network))
      return words.success
    } catch let refusal as LoginRefusal {
      return words.words(for: refusal)
    } catch is SigningInNeedsRequest {
      return words.words(for: .failed)
    }
  }
}
