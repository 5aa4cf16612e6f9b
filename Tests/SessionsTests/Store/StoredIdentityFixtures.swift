// SPDX-License-Identifier: MIT
import Dispatch
import JSONPatching
import Locking
import ObservableCore
import Testing
import ViewModels

@testable import Sessions
@testable import Storing

/// A view model that signs in every user that a client names.
final class Door: ViewModel {
  struct Params: Codable, JSONRepresentable { var door: Int }

  let context: SessionContext
  lazy var name = Computed(self) { try $0.context.user.get()?.name ?? "nobody" }
  lazy var language = Computed(self) { try $0.context.languages.get().first ?? "" }
  lazy var number = Computed(self) { $0.context.params(Params.self).door }
  let notes = Observable([String]())

  init(_ context: SessionContext) { self.context = context }

  func enter(_ id: String) throws {
    try context.signIn(User(id: id, name: "Person \(id)", roles: ["a", "b"], claims: ["since": 1999]))
  }
  func take(_ roles: [String]) throws { try context.signIn(User(id: "7", roles: Set(roles))) }
  func leaveEverywhere() throws { try context.signOut(isEverywhere: true) }
  func add(_ note: String) { notes.value.append(note) }

  static let surface = Surface<Door>(
    "door", .params(Params.self), .value("name", \.name), .value("language", \.language), .value("number", \.number),
    .value("notes", \.notes).visible(to: .role("b")), .action("enter", Door.enter), .action("take", Door.take),
    .action("leaveEverywhere", Door.leaveEverywhere), .action("add", Door.add))
}

/// A user's own view model, which shows its user's roles and its client.
final class OwnDesk: ViewModel {
  let context: SessionContext
  lazy var roles = Computed(self) { try ($0.context.user.get()?.roles ?? []).sorted() }
  lazy var client = Observable(context.client)
  /// The roles of its user when it was woken.
  let woken = Observable<[String]?>(nil)
  init(_ context: SessionContext) { self.context = context }
  func arm(_ seconds: Int) throws { try context.wake(in: .seconds(seconds), for: "alarm") }
  func ring(_ name: String) throws { woken.value = try roles.get() }
  static let surface = Surface<OwnDesk>(
    "desk", .value("roles", \.roles), .value("client", \.client), .value("woken", \.woken), .action("arm", OwnDesk.arm),
    .onWake(OwnDesk.ring))
}

/// A client with a session of its door.
struct DoorClient {
  static let types: [HostedModelType] = [
    .hosting { Door($0) }, .hosting(scope: .user) { OwnDesk($0) }, .hosting(scope: .user) { Note() },
  ]
  static let visitor = Visitor(languages: ["de"], timeZone: "Europe/Vienna", params: ["door": 7])

  let host: SessionHost
  let id: String
  var key: String
  var credential: Credential { Credential(hashing: key) }

  /// Opens a session and finds it, as a client's next request does.
  init(of host: SessionHost) throws {
    self.host = host
    let opened = try host.open("door", as: nil, by: Self.visitor)
    (id, key) = (opened.session.id, try #require(opened.newKey))
    _ = try host.find("door", id, as: opened.credential)
  }

  /// A new client that has signed in.
  static func of(_ user: String, in stored: StoredHost) async throws -> DoorClient {
    var client = try DoorClient(of: stored.host)
    try await client.enter(user, in: stored)
    return client
  }

  /// Performs an action of the client's door.
  @discardableResult
  func perform(_ action: String, _ value: JSON? = nil, in stored: StoredHost) async throws -> ChangeRequest.Outcome {
    let session = try await stored.living(id, as: key, in: "door")
    return try await perform(action, value, in: session, as: try #require(stored.host.owner(of: credential)))
  }

  static func request(_ action: String, _ value: JSON?, from requester: Requester) -> ChangeRequest {
    ChangeRequest(
      .success(.changes([.perform([action], value)], isList: false, since: nil, ifMatch: nil)), key: nil,
      from: requester
    ) { ChangeRequest.Refusal($0, kept: nil) }
  }

  func perform(
    _ action: String, _ value: JSON?, in session: Session, as owner: Credential
  ) async throws -> ChangeRequest.Outcome {
    let request = Self.request(action, value, from: Requester(owner))
    return try await withCheckedThrowingContinuation { done in session.apply(request) { done.resume(with: $0) } }
  }

  /// Signs in as a user, or as user 7 with these roles. The client has another key then.
  mutating func enter(_ user: String, in stored: StoredHost) async throws {
    key = try newKey(await perform("enter", .string(user), in: stored))
  }
  mutating func take(_ roles: JSON, in stored: StoredHost) async throws {
    key = try newKey(await perform("take", roles, in: stored))
  }

  func newKey(_ outcome: ChangeRequest.Outcome) throws -> String {
    guard case .signed(_, let newKey, _) = outcome else { throw SessionError.expired }
    return newKey
  }

  func state(in stored: StoredHost) async throws -> JSON? { try await stored.state(id, as: key, in: "door") }

  /// The outcome of a search for the client's session.
  func find(in stored: StoredHost) async throws -> SessionHost.Found {
    try await stored.find(id, as: key, in: "door")
  }
}

/// The work of a test for the time while the next view model is being made.
final class Meanwhile: Sendable {
  let work = Locked<(@Sendable () -> Void)?>(nil)

  /// The doors of clients, which the work delays.
  var types: [HostedModelType] {
    [
      .hosting { context -> Door in
        let work = self.work.withLock { work in
          defer { work = nil }
          return work
        }
        if let work {
          // It is another session's, so another thread does it.
          let isDone = DispatchSemaphore(value: 0)
          DispatchQueue.global().async {
            work()
            isDone.signal()
          }
          isDone.wait()
        }
        return Door(context)
      }
    ]
  }

  /// Has a client sign in.
  func enter(_ user: String, in session: Session, as client: Credential) {
    let request = DoorClient.request("enter", .string(user), from: Requester(client))
    // The answer waits for the store, and the work does not.
    work.withLock { $0 = { session.submit { $0.begin(request) { _ in } } } }
  }
}

extension Result {
  /// The text of its error; `nil` if there is none.
  var error: String? { if case .failure(let error) = self { "\(error)" } else { nil } }
}

extension Session {
  /// The outcome of a read by a request that has found the session before.
  nonisolated func read(from requester: Requester) async -> Result<Bool, SessionError> {
    await withCheckedContinuation { done in
      submit(from: requester) { _ in
        true
      } then: {
        done.resume(returning: $0)
      }
    }
  }
}
