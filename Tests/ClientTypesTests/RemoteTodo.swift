// The view model "todo" as its clients have it: printed by `app types todo --swift`.
import EuripusClient
import EuripusMirror
import Foundation
import ObservableCore

@MainActor final class RemoteTodo {
  let remote: Remote<TodoState>
  init(_ remote: Remote<TodoState>) { self.remote = remote }

  /// Opens a session.
  static func open(at server: URL) async throws -> RemoteTodo {
    RemoteTodo(try await Remote(opening: "todo", at: server))
  }

  private(set) lazy var draft = remote.value(\.draft)
  private(set) lazy var items = remote.value(\.items)
  private(set) lazy var canAdd = remote.value(\.canAdd)
  private(set) lazy var left = remote.value(\.left)

  func set(draft value: String) async throws { try await remote.set("draft", value) }
  func set(itemsRowDone value: Bool, key: String) async throws {
    try await remote.set("items/items/\(step: key)/done", value)
  }

  func add() async throws { try await remote.perform("add") }
  func remove(_ value: String) async throws { try await remote.perform("remove", value) }
}

extension RemoteTodo {
  enum Problem: String, ProblemKind {
    case malformedJson = "malformed-json"
    case badVersion = "bad-version"
    case badRequest = "bad-request"
    case badCredential = "bad-credential"
    case signedOut = "signed-out"
    case signInNeeded = "sign-in-needed"
    case credentialReplaced = "credential-replaced"
    case crossSite = "cross-site"
    case notAllowed = "not-allowed"
    case noInvitation = "no-invitation"
    case notFound = "not-found"
    case noSession = "no-session"
    case notAcceptable = "not-acceptable"
    case actionDisabled = "action-disabled"
    case outOfOrder = "out-of-order"
    case sessionClosed = "session-closed"
    case versionMoved = "version-moved"
    case valueChanged = "value-changed"
    case bodyTooLarge = "body-too-large"
    case targetTooLong = "target-too-long"
    case notJson = "not-json"
    case expectationFailed = "expectation-failed"
    case wrongHost = "wrong-host"
    case invalidAction = "invalid-action"
    case refused
    case keyReused = "key-reused"
    case commandFailed = "command-failed"
    case tooManyRequests = "too-many-requests"
    case tooManySessions = "too-many-sessions"
    case headersTooLarge = "headers-too-large"
    case `internal`, poisoned
    case notImplemented = "not-implemented"
    case draining, overloaded
    case stateTooLarge = "state-too-large"
    case storeFull = "store-full"
    case storeUnavailable = "store-unavailable"
  }

  struct TodoState: Codable, Equatable, Sendable {
    var draft: String
    var items: RemoteRows<ItemState>
    var canAdd: Bool
    var left: Int
  }

  struct ItemState: Codable, Equatable, Sendable {
    var text: String
    var done: Bool
  }
}
