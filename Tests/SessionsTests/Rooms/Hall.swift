// SPDX-License-Identifier: MIT
import JSONPatching
import ObservableCore
import Testing
import ViewModels

@testable import Sessions
@testable import Storing

/// A room with a name, in which people leave notes. Some of it is for owners alone.
final class Hall: ViewModel {
  struct Params: Codable, JSONRepresentable, Sendable { var hall: String, floor: Int? }

  let context: SessionContext
  let notes = Observable([String]())
  let secret = Observable("nothing")
  lazy var user = Computed(self) { try $0.context.user.get()?.id ?? "nobody" }
  private(set) lazy var close = Command<Void, Void>(self) { _, _, _ in }

  private(set) lazy var count = Command<Void, Int>(self) { _, _, _ in 7 }
  private(set) lazy var finish = Command<Void, Int>(self, Hall.finishing)
  private(set) lazy var wait = Command<Void, Void>(self) { _, _, _ in
    // It ends when it is cancelled.
    for await _ in AsyncStream(Void.self, { _ in }) {}
  }

  init(_ context: SessionContext) { self.context = context }

  func add(_ note: String) { notes.value.append("\(context.action?.user?.id ?? "nobody"): \(note)") }
  func hide(_ text: String) { secret.value = text }
  func enter(_ id: String) throws { try context.signIn(User(id: id)) }
  func leave() throws { try context.signOut() }
  func end() throws { try context.end() }
  nonisolated(nonsending) func finishing() async throws -> Int {
    await Task.yield()
    try context.end()
    await Task.yield()
    notes.value.append("the end")
    return 7
  }
  func endInVain() throws {
    try context.end()
    throw CancellationError()
  }

  static let surface = Surface<Hall>(
    "hall", .params(Params.self), .value("notes", \.notes), .value("user", \.user),
    .value("secret", \.secret).visible(to: .role("owner")), .command("close", \.close).for(.role("owner")),
    .command("count", \.count).for(.role("owner")), .command("wait", \.wait), .command("finish", \.finish),
    .action("add", Hall.add), .action("hide", Hall.hide).for(.role("owner")), .action("enter", Hall.enter),
    .action("leave", Hall.leave), .action("end", Hall.end),
    .action("endInVain", Hall.endInVain))

  /// The user "out" may not enter, and a hall whose name begins with a dot is for users alone.
  static let scope = SessionScope.room { (room: Params, user) in
    user?.id != "out" && (user != nil || !room.hall.hasPrefix("."))
  }
  static let hosted = HostedModelType.hosting(scope: scope) { Hall($0) }

  /// Halls that are kept for a time.
  static func hosted(for time: Duration) -> HostedModelType { .hosting(scope: scope.kept(for: time)) { Hall($0) } }
}

/// A client that enters rooms of one kind.
struct Guest {
  let host: StoredHost
  private let model: String
  var key: String?
  var credential: Credential? { key.map { Credential(hashing: $0) } }

  init(of host: StoredHost, in model: String = "hall") { (self.host, self.model) = (host, model) }

  /// A client that a user has signed in with.
  init(of host: StoredHost, _ user: User, in model: String = "hall") async throws {
    self.init(of: host, in: model)
    key = try await withCheckedThrowingContinuation { done in host.host.enroll(user) { done.resume(with: $0) } }
  }

  /// The same client at another process.
  func again(at host: StoredHost) -> Guest {
    var guest = Guest(of: host, in: model)
    guest.key = key
    return guest
  }

  /// Opens a room.
  ///
  /// - Returns: its id.
  @discardableResult
  mutating func enter(_ params: JSON? = ["hall": "blue"]) async throws -> String {
    let opened = try await host.opening(model, as: key, by: Visitor(params: params))
    key = opened.newKey ?? key
    return opened.session.id
  }

  /// The reason why the client cannot open a room; `nil` if it can.
  mutating func refusal(of params: JSON) async -> String? {
    do { try await enter(params) } catch { return "\(error)" }
    return nil
  }

  /// The room with an id, and the client as a request from it is.
  func request(_ id: String) async throws -> (hall: Session, from: Requester) {
    let hall = try await host.living(id, as: key, in: model)
    return (hall, Requester(try #require(credential.flatMap { host.host.table.client(of: $0) })))
  }

  /// The state of a room, as the client is shown it.
  func state(_ id: String) async throws -> JSON { try #require(try await snapshot(id)["state"]) }

  func snapshot(_ id: String) async throws -> JSON {
    let (hall, requester) = try await request(id)
    return try await hall.read(for: requester) { try $0.snapshot().value }
  }

  /// The frame that the client gets from a version on.
  func frame(_ id: String, since version: JSON?) async throws -> JSON {
    guard case .string(let text)? = version else { throw SessionError.closed }
    let (hall, requester) = try await request(id)
    return try await hall.read(for: requester) { try $0.frame(since: Version(text)).value }
  }

  @discardableResult
  func perform(
    _ action: String, _ value: JSON? = nil, in id: String, waits: Bool = false, key: KeyedRequest? = nil
  ) async throws -> JSON {
    try await make(.perform([action], value), in: id, waits: waits, key: key)
  }

  func cancel(_ command: String, in id: String) async throws -> JSON { try await make(.cancel([command]), in: id) }

  private func make(
    _ change: Change, in id: String, waits: Bool = false, key: KeyedRequest? = nil
  ) async throws -> JSON {
    let (hall, requester) = try await request(id)
    let request = ChangeRequest(
      .success(.changes([change], isList: false, since: nil, ifMatch: nil)), key: key, waitsForCommands: waits,
      from: requester
    ) { ChangeRequest.Refusal($0, kept: nil) }
    let outcome = try await withCheckedThrowingContinuation { done in hall.apply(request) { done.resume(with: $0) } }
    switch outcome {
    case .frame(let message): return try message.value
    case .decided: return ["replayed": true]
    default: throw SessionError.closed
    }
  }

  /// Waits in a room.
  ///
  /// - Returns: gives the answer.
  func wait(_ id: String) async throws -> Task<PollAnswer, Never> {
    let (hall, requester) = try await request(id)
    let (answers, continuation) = AsyncStream<PollAnswer>.makeStream()
    _ = try await hall.read(for: requester) { session in
      let waiter = Waiter.poll(since: session.version, of: requester)
      if let answer = session.poll(waiter, answer: { continuation.yield($0) }) { continuation.yield(answer) }
    }
    return Task { await answers.first { _ in true } ?? .closed }
  }

  /// Gives the client's user other roles, as a proxy does that names them.
  func prove(_ user: User) { _ = host.host.bind(credential ?? SessionHost.nobody, to: user) }
}

extension Session {
  /// Does something in the session's turn for a client's request.
  nonisolated func read<Value: Sendable>(
    for requester: Requester, isEntering: Bool = false, _ body: @escaping @Sendable (isolated Session) throws -> Value
  ) async throws -> Value {
    let result: Result<Result<Value, any Error>, SessionError> = await withCheckedContinuation { done in
      submit(from: requester, isEntering: isEntering) { session in
        Result { try body(session) }
      } then: {
        done.resume(returning: $0)
      }
    }
    return try result.get().get()
  }
}
