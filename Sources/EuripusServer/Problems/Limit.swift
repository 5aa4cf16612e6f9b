// SPDX-License-Identifier: MIT

/// The limits at which a request is answered with a problem (PROTOCOL §7), each under the name of its setting, if it
/// has one.
enum Limit: String, CaseIterable {
  case sessions = "max-sessions"
  case sessionsOfClient = "sessions-per-client"
  case memory = "max-memory"
  case openings = "openings-per-minute"
  case actions = "actions-per-second"
  case actionTime = "action-time"
  case state = "max-state"
  case keyNames = "key-names"
  case target = "max-target"
  case header = "max-header"
  case headerFields = "max-header-fields"
  case body = "max-body"
}
