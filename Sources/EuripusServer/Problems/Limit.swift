// SPDX-License-Identifier: MIT

/// The limits at which a request is answered with a problem, each under the name of its setting, if it has one
/// (PROTOCOL §7).
enum Limit: String, CaseIterable {
  case sessions = "max-sessions"
  case sessionsOfClient = "sessions-per-client"
  case memory = "max-memory"
  case store = "max-store"
  case uploads = "max-uploads"
  case openings = "openings-per-minute"
  case actions = "actions-per-second"
  case actionTime = "action-time"
  case state = "max-state"
  /// The guests of a room, and the invitations into it that wait.
  case guests, invitations
  /// The polls and streams that wait in a room.
  case readers
  case keyNames = "key-names"
  /// The rate of an app's route.
  case route = "route-rate"
  case target = "max-target"
  case header = "max-header"
  case headerFields = "max-header-fields"
  case body = "max-body"

  /// The thing that has a limit. All its requests share the limit.
  enum Scope: String, CaseIterable {
    case request, session, client, address, server
  }

  /// The usual scope of a limit. Some limits have one or another.
  var scope: Scope {
    switch self {
    case .target, .header, .headerFields, .body: .request
    case .actions, .state, .guests, .invitations, .readers, .keyNames: .session
    case .sessionsOfClient, .actionTime: .client
    case .openings, .route: .address
    case .sessions, .memory, .store, .uploads: .server
    }
  }
}
