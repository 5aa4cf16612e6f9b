// SPDX-License-Identifier: MIT
import Dispatch
public import JSONPatching
import Locking
import ObservableCore
import Sessions
import Storing
public import Testing
public import ViewModels

/// A driver of a view model through its surface, in a session of its own and without a server. It does what a
/// client could do, and nothing else.
///
/// ```swift
/// let login = try ModelDriver { LoginViewModel() }
/// try login.perform("usernameDidChange", "maruko")
/// #expect(login["usernameValid"] == true)
/// ```
///
/// Paths are those of URLs: `people/items/anna/follow`, with `~1` for a slash within a name and `~0` for a
/// tilde. Time stands still until the test moves the ``clock``.
public final class ModelDriver: Sendable {
  let driven: DrivenSession
  var session: Session { driven.session }
  /// The client as which it asks for everything.
  let requester: Requester
  /// The time of the session's limits, and of a view model that got the clock.
  public var clock: TestClock { driven.clock }
  /// The number by which an observer knows the session.
  let number = TestObservation.number()
  /// The state that `takeChanges` or `takeFrame` last read, and its version.
  let seen: Locked<(state: JSON, version: Version)>
  /// The reader by which it follows the session; `nil` while it does not.
  let follower = Locked<Waiter?>(nil)

  /// - Parameters:
  ///   - path: the path of its page, by default `/` and its name.
  ///   - address: the address at which it is opened; `nil` for none in particular.
  ///   - database: the database that its actions take; `nil` for none.
  /// - Throws: `ViewModelFailure` for an error of `make`, or `SurfaceError` for an address that is not at or
  ///   below its page.
  public convenience init<Model: ViewModel>(
    clock: TestClock = TestClock(), at path: String? = nil, address: String? = nil, database: TestDatabase? = nil,
    _ make: @escaping @Sendable () throws -> Model
  ) throws {
    try self.init(
      .hosting(at: path ?? "/\(Model.surface.name)", make), clock: clock, address: address, by: Visitor(), database)
  }

  /// Drives a view model that knows its session.
  ///
  /// ```swift
  /// let board = try ModelDriver(as: User(id: "7", roles: ["owner"])) { Board($0) }
  /// ```
  ///
  /// - Parameters:
  ///   - scope: who shares the session. Others enter a room by ``member(_:)``.
  ///   - user: the user who has signed in; `nil` for nobody.
  ///   - params: the parameters of the session; they have to fit.
  ///   - languages: the languages that the client prefers.
  ///   - timeZone: the name of the client's time zone.
  ///   - database: the database that its actions take; `nil` for none.
  public convenience init<Model: ViewModel>(
    clock: TestClock = TestClock(), at path: String? = nil, address: String? = nil, scope: SessionScope = .client,
    as user: User? = nil, params: JSON? = nil, languages: [String] = [], timeZone: String? = nil,
    database: TestDatabase? = nil, _ make: @escaping @Sendable (SessionContext) throws -> Model
  ) throws {
    try self.init(
      .hosting(at: path ?? "/\(Model.surface.name)", scope: scope, make), clock: clock, address: address,
      by: Visitor(user: user, languages: languages, timeZone: timeZone, isLocal: true, params: params), database)
  }

  convenience init(
    _ type: HostedModelType, clock: TestClock, address: String?, by visitor: Visitor,
    _ database: TestDatabase? = nil, beside room: DrivenSession? = nil, as client: Credential? = nil
  ) throws {
    if let fault = type.faults(of: visitor.params).first { throw SurfaceError.mismatch(fault) }
    let (driven, requester) = try DrivenSession.open(
      type, clock, at: address, by: visitor, database, beside: room, as: client)
    self.init(driven, as: requester)
  }

  init(_ driven: DrivenSession, as requester: Requester) {
    (self.driven, self.requester) = (driven, requester)
    let first = Self.entering(driven.session, as: driven.session.isRoom ? requester : nil) {
      ($0.opened(url: "").json, $0.version)
    }
    TestObservation.current?.message(first.0, of: number)
    seen = Locked((JSON.shown(first.0)["state"] ?? .null, first.1))
  }

  deinit { stopFollowing() }

  /// Performs an action, or starts a command; `nil` stands for an empty body.
  ///
  /// - Returns: the result of the action, or of a command that is over already; `null` if there is none.
  /// - Throws: `SurfaceError` if a client would be refused, the `PresentableError` with which the view model refuses, or
  ///   `ViewModelFailure` for another error of the view model.
  @discardableResult
  public func perform(_ path: String, _ value: JSON? = nil) throws -> JSON {
    let message = try apply(.perform(Self.tokens(path), value))
    return JSON.shown(message.json)["result"] ?? .null
  }

  /// Sets a two-way value or a secret.
  ///
  /// - Parameter revision: the ``revision`` since which the value must not have changed, as of a page that shows conflicts;
  ///   `nil` for any.
  /// - Throws: as `perform`, or ``ValueChanged``.
  public func set(_ path: String, _ value: JSON, ifUnchangedSince revision: UInt64? = nil) throws {
    _ = try apply(.set(Self.tokens(path), value), ifUnchangedSince: revision)
  }

  /// The same, with a value of an app's type.
  @discardableResult
  public func perform(_ path: String, _ value: some JSONRepresentable) throws -> JSON {
    try perform(path, JSON.shown(value))
  }

  /// The same, with a value of an app's type.
  public func set(
    _ path: String, _ value: some JSONRepresentable, ifUnchangedSince revision: UInt64? = nil
  ) throws {
    try set(path, JSON.shown(value), ifUnchangedSince: revision)
  }

  /// Cancels a command.
  ///
  /// - Throws: as `perform`.
  public func cancel(_ path: String) throws {
    _ = try apply(.cancel(Self.tokens(path)))
  }

  /// Replaces the user: by another one, by nobody, or by the same one with other claims. It happens as by
  /// another session of the client.
  public func become(_ user: User?) {
    if session.isRoom {
      stopProgram(
        "a room was to become another user's", expected: "a session of one person",
        remedy: "let the user enter as a further member: 'driver.member(user)'")
    }
    entering { $0.become(user) }
  }

  /// Tells the preferences of the client, as its page does.
  public func prefer(languages: [String]? = nil, timeZone: String? = nil) throws {
    _ = try apply(.prefer(languages: languages, timeZone: timeZone))
  }

  /// The address of the view model's page; `nil` if its surface has nothing in the address.
  public var address: String? {
    let message = entering { try? $0.address() }
    guard let message, case .string(let text) = JSON.shown(message.json) else { return nil }
    return text
  }

  /// Goes to an address, as a browser does when a person opens a link or goes back.
  ///
  /// - Throws: as `perform`.
  public func go(to address: String) throws { _ = try apply(.address(.string(address))) }

  /// The page to which the last action, or a command since then, has sent its client (`context.go(to:)`); `nil` for none.
  public var destination: String? { entering { $0.destination } }

  /// The state that a client sees.
  public var state: JSON {
    let json = entering { $0.opened(url: "").json }
    TestObservation.current?.message(json, of: number)
    return JSON.shown(json)["state"] ?? .null
  }

  /// A value of the state, by its path; `nil` for an absent one.
  public subscript(path: String) -> JSON? { DriverState(json: state)[path] }

  /// Waits until no command is executing, or until the task is cancelled, as by a test's time limit.
  public func settled() async {
    while !Task.isCancelled {
      let (ends, isOver) = AsyncStream.makeStream(of: Void.self)
      guard entering({ session in session.whenCommandsAreOver { isOver.finish() } }) else { return }
      for await _ in ends {}
    }
  }

  /// Waits until the state passes a test: `await driver.wait { $0["items/order"] == ["1"] }`.
  ///
  /// It waits for as long as it takes. Where the task is cancelled, as by a test's time limit, it fails the test
  /// with the state that there is, and returns.
  public func wait(
    until isWanted: (DriverState) -> Bool, sourceLocation: SourceLocation = #_sourceLocation
  ) async {
    while true {
      let (json, version) = entering { ($0.opened(url: "").json, $0.version) }
      let state = DriverState(json: JSON.shown(json)["state"] ?? .null)
      if isWanted(state) { return }
      if Task.isCancelled {
        Issue.record("the state did not become as it was waited for:\n\(state.json)", sourceLocation: sourceLocation)
        return
      }
      let (news, isNews) = AsyncStream.makeStream(of: Void.self)
      let answer = entering { session in session.poll(.poll(since: version)) { _ in isNews.finish() } }
      if case .closed? = answer {
        Issue.record("the session has ended, and its state is:\n\(state.json)", sourceLocation: sourceLocation)
        return
      }
      if answer == nil { for await _ in news {} }
    }
  }

  /// The number of revisions so far. An action that changes the state makes one, however much it changes.
  public var revision: UInt64 { entering { $0.version.revision } }

  /// Moves the ``clock``. Sleepers on it wake, timers that are due act, each at its time, and commands that
  /// have taken too long by then end.
  public func advance(by duration: Duration) { clock.advance(by: duration) }

  /// The reports of the session: errors of commands, which clients do not see.
  public var log: [String] { driven.lines.withLock { $0 } }

  // MARK: Within

  /// Makes one change, as a request of a client does.
  private func apply(_ change: Change, ifUnchangedSince revision: UInt64? = nil) throws -> Message {
    let result = entering { [requester] session in
      Swift.Result {
        let base = revision.map { Version(epoch: session.version.epoch, revision: $0) }
        if session.isRoom { try session.enter(requester, by: nil) }
        return try session.make(
          [change], values: base.map { [.versions([$0])] } ?? [], as: requester)
      }
    }
    do {
      let message = try result.get()
      TestObservation.current?.message(message.json, of: number)
      return message
    } catch let failure as ViewModelFailure {
      throw failure.refusal ?? failure as any Error
    } catch let refused as ChangesRefused {
      throw refused.refusals.first?.error ?? refused as any Error
    } catch SessionError.valuesChanged(let conflicts, _) {
      throw ValueChanged(path: conflicts[0].name, present: conflicts[0].present)
    }
  }

  /// Waits for the turn in the session, in which a room shows what is for this driver's client.
  func entering<Result: Sendable>(_ body: @escaping @Sendable (isolated Session) -> Result) -> Result {
    Self.entering(session, as: session.isRoom ? requester : nil, body)
  }

  /// Waits for the turn in the session, which a command's step may have for a moment.
  static func entering<Result: Sendable>(
    _ session: Session, as requester: Requester? = nil, _ body: @escaping @Sendable (isolated Session) -> Result
  ) -> Result {
    let result = Locked<Swift.Result<Result, SessionError>?>(nil)
    let isDone = DispatchSemaphore(value: 0)
    session.submit(from: requester, isEntering: true, body) { value in
      result.withLock { $0 = value }
      isDone.signal()
    }
    isDone.wait()
    switch result.withLock({ $0 }) {
    case .success(let value): return value
    case let other:
      stopProgram(bug: "a turn ended without a result, \(other.map { "\($0)" } ?? "and without an error")")
    }
  }

  static func tokens(_ path: String) -> [String] { JSONPointer("/" + path)?.tokens ?? [path] }
}
