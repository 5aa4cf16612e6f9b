// SPDX-License-Identifier: MIT

/// The owner of a session.
public enum SessionScope: Sendable {
  /// The client that opened it, with or without a user. Each opening makes another session.
  case client
  /// The user. Each user has one living session, which all clients of that user reach. A client that has not
  /// signed in is refused.
  case user
}

extension SurfaceDescription {
  /// Whether an entry of this view model, or of one within it, needs the context of its session.
  var usesContext: Bool { needsContext || firstPart { $0.needsContext } != nil }

  private var needsContext: Bool {
    params != nil || hasTimers
      || entries.contains { entry in
        // Nothing is known about rows whose kinds are not named.
        if case .list(.kinds(nil), _) = entry.form { true } else { entry.audience != nil }
      }
  }
}
