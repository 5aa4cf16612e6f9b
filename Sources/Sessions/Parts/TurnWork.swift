// SPDX-License-Identifier: MIT

/// The code that has a session's turn, as far as the session has to know of it.
final class TurnWork {
  /// The code whose time is counted; `nil` where none is.
  var present: PresentWork?
  /// The code whose writes are being published after its turn; `nil` while no publishing is on its way.
  var publishing: TimedWork?
  /// Whether a change is under way, which publishes its writes at its end.
  var isChanging = false
  /// Whether the actions of that change have all proved quick (``Pace``).
  var isProven = false
  /// Whether the view model has wanted the session to end. The transaction that did so may be undone.
  var mayEnd = false
  /// Whether the guests may have changed. The transaction that did so may be undone.
  var haveGuestsChanged = false
  /// The work that has made an invitation.
  var inviting = Inviting.nobodys
  /// Whether topics may have been told. The transaction that did so may be undone.
  var hasTold = false
  /// Whether files may have been taken or dropped. The transaction that did so may be undone.
  var hasHandledFiles = false
  /// Whether the client may have been sent to another page. The transaction that did so may be undone.
  var mayGo = false
  /// The page to which the last change has sent its client; `nil` for none.
  var destination: String?
  /// The request whose changes are being made, for a view model that asks for it.
  var request: ChangeRequest?
  /// The key that was made for that request, as it has none; `nil` until the view model asks for one.
  var madeKey: String?

  /// Work that has made an invitation since the session was opened or read.
  enum Inviting {
    case nobodys
    /// That of an earlier request, or of a command.
    case earlier
    /// That of the present request, or since then.
    case present
  }
}
