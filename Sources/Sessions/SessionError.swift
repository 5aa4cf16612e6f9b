// SPDX-License-Identifier: MIT

/// Why a session, or the host of all sessions, refused; nothing was changed.
public enum SessionError: Error, CustomStringConvertible {
  case noSuchModel(String, expected: [String])
  case closed
  case versionMoved(Version)
  case tooManySessions(limit: Int)

  public var description: String {
    switch self {
    case .noSuchModel(let name, let expected):
      "no view model '\(name)'; expected one of: \(expected.joined(separator: ", "))"
    case .closed: "the session was closed"
    case .versionMoved(let version): "the state has moved on: it is at version \(version)"
    case .tooManySessions(let limit): "\(limit) sessions are open, which is the limit"
    }
  }
}
