// SPDX-License-Identifier: MIT
import Locking
import ObservableCore
import Storing
import ViewModels

/// The clients that may be in a room: those that its rule lets in, and those that were invited.
extension Session {
  /// Whether a client may be in the room.
  nonisolated func admits(_ client: Credential, _ user: User?) -> Bool {
    facts.roomRule?(user) == true || guest(client, user) != nil
  }

  /// Whether a client may come in by an invitation.
  nonisolated func admits(_ client: Credential, _ user: User?, by invitation: String) -> Bool {
    guests?.withLock {
      $0.takes(Self.hash(of: invitation), from: client.name, user: user?.id, at: services.wallClock())
    } == true
  }

  /// The user by whom it is decided what a client sees and does here: its own, and in a room that takes guests with the
  /// role of a guest. A guest who has not signed in has a role and is no user otherwise.
  nonisolated func actor(_ client: FoundClient?) -> User? {
    guard let client else { return nil }
    guard let role = guest(client.owner, client.user)?.role else { return client.user }
    var user = client.user ?? .unknown
    user.roles.insert(role)
    return user
  }

  /// Whether a client is one of the room's now.
  package nonisolated func isAdmitted(_ requester: Requester) -> Bool {
    requester.found.map { admits($0.owner, $0.user) } ?? true
  }

  /// Whether the room takes a request. It was on its way perhaps while its guest was dismissed.
  func receives(_ requester: Requester?) -> Bool {
    guard let requester else { return true }
    guard isAdmitted(requester) else { return false }
    guard let client = requester.found, let user = client.user, let guest = guest(client.owner, user), !guest.hasUser
    else {
      return true
    }
    // From here on it is that user's place, and not that of the next one at the same browser.
    model.enter { try? model.context?.bind(guest.client, to: user.id) }
    settleGuests()
    return true
  }

  private nonisolated func guest(_ client: Credential, _ user: User?) -> RoomGuest? {
    guests?.withLock { $0.isEmpty ? nil : $0.guest(client.name, user: user?.id) }
  }

  /// The hash by which an invitation is known.
  private static nonisolated func hash(of invitation: String) -> String {
    Credential(hashing: "invitation\u{0}" + invitation).hex
  }

  /// Connects the view model's context to the guests.
  func introduceGuests() {
    guard guests != nil, let context = model.context else { return }
    context.inviting = { [weak self, services] in
      self?.assumeIsolated { $0.turnWork.inviting = .present }
      let text = services.randomness.base64URL(bytes: 32)
      return (text, Self.hash(of: text))
    }
    context.didChangeGuests = { [weak self] in
      self?.assumeIsolated { session in
        session.turnWork.haveGuestsChanged = true
        session.publishLater()
      }
    }
  }

  /// Lets the client of an opening in, by its invitation if it has one.
  ///
  /// - Throws: ``SessionError/noInvitation``, if it may not enter.
  package func enter(_ requester: Requester, by invitation: String?) throws {
    guard isRoom, let client = requester.found else { return }
    // Whom the rule lets in needs none, and leaves it to whom it is meant for.
    if let invitation, facts.roomRule?(client.user) != true {
      var outcome: Result<Bool, any Error> = .success(false)
      model.enter {
        outcome = Result {
          try model.context?.accept(Self.hash(of: invitation), by: client.owner.name, user: client.user?.id) == true
        }
      }
      // A client that is a guest already needs none either.
      guard try outcome.get() || admits(client.owner, client.user) else { throw SessionError.noInvitation }
      publish()
      show(to: requester)
    }
    guard admits(client.owner, client.user) else { throw SessionError.noInvitation }
  }

  /// Has the changes of the guests count for requests, and lets go of the readers that may not be here any more.
  func settleGuests() {
    turnWork.haveGuestsChanged = false
    guard let guests, let list = model.context?.guestList?.value, guests.withLock({ $0 != list }) else { return }
    guests.withLock { $0 = list }
    custody.isUnsaved = true
    for waiter in readers.waiters { if let ending = ending(for: waiter.requester) { endWait(of: waiter, ending) } }
    for reader in commandWaits.removeReaders(of: { !isAdmitted($0) }) {
      tell { failure in reader.answer(.failure(failure ?? .expired)) }
    }
  }
}
