// SPDX-License-Identifier: MIT
public import Euripus

/// The page of a user's own: one living session for each user, which all of the user's devices reach. A client that has
/// not signed in gets none.
public final class AccountViewModel: ViewModel {
  lazy var name = Observable(user.name)
  lazy var since = Observable(user.since)
  @Observed var note: ShortText
  @Observed private var saved: ShortText
  lazy var isChanged = Computed(self) { $0.note != $0.saved }
  lazy var save = Command<Void, Void>(self, AccountViewModel.saveNote, when: isChanged)

  private let context: SessionContext
  private let users: UserStore
  private let user: User

  /// - Precondition: the session is a user's (`scope: .user`).
  public init(_ context: SessionContext, _ users: UserStore) {
    guard let user = context.user.value else { preconditionFailure("the session is nobody's") }
    (self.context, self.users, self.user) = (context, users, user)
    let text = ShortText(users.note(of: user))
    (note, saved) = (text, text)
  }

  private func saveNote() async throws {
    let text = note
    try await users.keep(text.text, of: user)
    saved = text
  }

  func signOut() throws { try context.signOut() }
  func signOutEverywhere() throws { try context.signOut(isEverywhere: true) }

  public static let surface = Surface<AccountViewModel>(
    "account", about: "A user's own page, which only that user sees.",
    .value("name", \.name),
    .value("since", \.since).about("The day of the first login."),
    .twoWay("note", \.$note).about("Shown to nobody else, on all devices of the user."),
    .stored("saved", \.$saved),
    .value("isChanged", \.isChanged).about("Whether the note is not saved yet."),
    .command("save", \.save).about("Saves the note for the next login."),
    .action("signOut", AccountViewModel.signOut).about("Logs this client out, and no other."),
    .action("signOutEverywhere", AccountViewModel.signOutEverywhere).about("Logs out all the user's clients."))
}
