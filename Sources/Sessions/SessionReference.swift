// SPDX-License-Identifier: MIT
import ObservableCore

/// A session, for what belongs to it and must not keep it alive.
final class SessionReference: Sendable {
  private let reference: WeakReference

  init(_ session: Session) { reference = WeakReference(session) }

  /// `nil` once the session's end has begun.
  var session: Session? { reference.object.map { unsafeDowncast($0, to: Session.self) } }
}
