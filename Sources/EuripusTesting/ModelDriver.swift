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
  private let host: SessionHost
  let session: Session
  /// The time of the session's limits, and of a view model that got the clock.
  public let clock: TestClock
  private let lines: Locked<[String]>
  /// The number by which an observer knows the session.
  private let number = TestObservation.number()
  /// The state that `takeChanges` or `takeFrame` last read, and its version.
  private let seen: Locked<(state: JSON, version: Version)>

  /// - Parameters:
  ///   - path: the path of its page, by default `/` and its name.
  ///   - address: the address at which it is opened; `nil` for none in particular.
  /// - Throws: `ViewModelFailure` for an error of `make`, or `SurfaceError` for an address that is not at or
  ///   below its page.
  public convenience init<Model: ViewModel>(
    clock: TestClock = TestClock(), at path: String? = nil, address: String? = nil,
    _ make: @escaping @Sendable () throws -> Model
  ) throws {
    try self.init(.hosting(at: path ?? "/\(Model.surface.name)", make), clock: clock, address: address, by: Visitor())
  }

  /// Drives a view model that knows its session.
  ///
  /// ```swift
  /// let board = try ModelDriver(as: User(id: "7", roles: ["owner"])) { Board($0) }
  /// ```
  ///
  /// - Parameters:
  ///   - user: the user who has signed in; `nil` for nobody.
  ///   - params: the parameters of the session; they have to fit.
  ///   - languages: the languages that the client prefers.
  ///   - timeZone: the name of the client's time zone.
  public convenience init<Model: ViewModel>(
    clock: TestClock = TestClock(), at path: String? = nil, address: String? = nil, as user: User? = nil,
    params: JSON? = nil, languages: [String] = [], timeZone: String? = nil,
    _ make: @escaping @Sendable (SessionContext) throws -> Model
  ) throws {
    try self.init(
      .hosting(at: path ?? "/\(Model.surface.name)", make), clock: clock, address: address,
      by: Visitor(user: user, languages: languages, timeZone: timeZone, isLocal: true, params: params))
  }

  private init(_ type: HostedModelType, clock: TestClock, address: String?, by visitor: Visitor) throws {
    if let fault = type.faults(of: visitor.params).first { throw SurfaceError.mismatch(fault) }
    let lines = Locked<[String]>([])
    let start = ContinuousClock.now
    var configuration = SessionConfiguration()
    configuration.actionRate = nil
    configuration.actionTime = nil
    // The driver keeps its view model for as long as it lives, however far the test moves the clock.
    configuration.idleTime = .seconds(1_000 * 365 * 86_400)
    let host = SessionHost(
      [type], configuration: configuration,
      now: { start + clock.now.elapsed }, wallClock: { clock.wallTime.milliseconds },
      report: { line in
        lines.withLock { $0.append("\(line)") }
        TestObservation.current?.log("\(line)")
      })
    self.host = host
    let credential = visitor.user.map { host.enrolled($0) }
    let opened = try host.open(type.name, as: credential, at: address.map { .string($0) }, by: visitor)
    session = opened.session
    // The host soon forgets a session that no request finds.
    _ = try host.find(type.name, session.id, as: opened.newKey.map { Credential(hashing: $0) } ?? credential)
    Self.entering(session) { $0.alwaysAnswers = true }
    self.clock = clock
    self.lines = lines
    let first = Self.entering(session) { ($0.opened(url: "").json, $0.version) }
    TestObservation.current?.message(first.0, of: number)
    seen = Locked((JSON.shown(first.0)["state"] ?? .null, first.1))
    clock.join(
      session, next: { [session] in Self.entering(session) { $0.nextTimer }.map { .init(elapsed: $0 - start) } }
    ) { [host, session] in
      host.expire()
      session.checkTimers()
      let isDone = DispatchSemaphore(value: 0)
      session.whenIdle { isDone.signal() }
      isDone.wait()
    }
  }

  deinit {
    clock.leave(session)
    host.close(session)
  }

  /// Performs an action, or starts a command; `nil` stands for an empty body.
  ///
  /// - Returns: the result of the action, or of a command that is over already; `null` if there is none.
  /// - Throws: `SurfaceError` if a client would be refused, or `ViewModelFailure` for an error of the view
  ///   model.
  @discardableResult
  public func perform(_ path: String, _ value: JSON? = nil) throws -> JSON {
    let message = try apply(.perform(Self.tokens(path), value))
    return JSON.shown(message.json)["result"] ?? .null
  }

  /// Sets a two-way value or a secret.
  ///
  /// - Throws: as `perform`.
  public func set(_ path: String, _ value: JSON) throws {
    _ = try apply(.set(Self.tokens(path), value))
  }

  /// The same, with a value of an app's type.
  @discardableResult
  public func perform(_ path: String, _ value: some JSONRepresentable) throws -> JSON {
    try perform(path, JSON.shown(value))
  }

  /// The same, with a value of an app's type.
  public func set(_ path: String, _ value: some JSONRepresentable) throws {
    try set(path, JSON.shown(value))
  }

  /// Cancels a command.
  ///
  /// - Throws: as `perform`.
  public func cancel(_ path: String) throws {
    _ = try apply(.cancel(Self.tokens(path)))
  }

  /// Replaces the user: by another one, by nobody, or by the same one with other claims. It happens as by
  /// another session of the client.
  public func become(_ user: User?) { Self.entering(session) { $0.become(user) } }

  /// Tells the preferences of the client, as its page does.
  public func prefer(languages: [String]? = nil, timeZone: String? = nil) throws {
    _ = try apply(.prefer(languages: languages, timeZone: timeZone))
  }

  /// The address of the view model's page; `nil` if its surface has nothing in the address.
  public var address: String? {
    let message = Self.entering(session) { try? $0.address() }
    guard let message, case .string(let text) = JSON.shown(message.json) else { return nil }
    return text
  }

  /// Goes to an address, as a browser does when a person opens a link or goes back.
  ///
  /// - Throws: as `perform`.
  public func go(to address: String) throws { _ = try apply(.address(.string(address))) }

  /// The state that a client sees.
  public var state: JSON {
    let json = Self.entering(session) { $0.opened(url: "").json }
    TestObservation.current?.message(json, of: number)
    return JSON.shown(json)["state"] ?? .null
  }

  /// A value of the state, by its path; `nil` for an absent one.
  public subscript(path: String) -> JSON? { DriverState(json: state)[path] }

  /// Waits until no command is executing, or until the task is cancelled, as by a test's time limit.
  public func settled() async {
    while !Task.isCancelled {
      let (ends, isOver) = AsyncStream.makeStream(of: Void.self)
      guard Self.entering(session, { session in session.whenCommandsAreOver { isOver.finish() } }) else { return }
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
      let (json, version) = Self.entering(session) { ($0.opened(url: "").json, $0.version) }
      let state = DriverState(json: JSON.shown(json)["state"] ?? .null)
      if isWanted(state) { return }
      if Task.isCancelled {
        Issue.record("the state did not become as it was waited for:\n\(state.json)", sourceLocation: sourceLocation)
        return
      }
      let (news, isNews) = AsyncStream.makeStream(of: Void.self)
      let answer = Self.entering(session) { session in session.poll(.poll(since: version)) { _ in isNews.finish() } }
      if answer == nil { for await _ in news {} }
    }
  }

  /// The paths of the values that have changed since the last call, in the order of the state.
  public func takeChanges() -> [String] {
    let (json, version) = Self.entering(session) { ($0.opened(url: "").json, $0.version) }
    TestObservation.current?.message(json, of: number)
    let state = JSON.shown(json)["state"] ?? .null
    let before = seen.withLock { seen in
      defer { seen = (state, version) }
      return seen.state
    }
    return Self.differences(before, state, [])
  }

  /// The frame that brings a client up to date: one that has the state of the last call of this or of
  /// ``takeChanges()``, at first the state of the opening.
  ///
  /// It is `{"from":V,"to":V,"patch":[…]}`, or `{"from":V,"to":V,"state":{…}}` where the patch would be longer than the
  /// state. If nothing has changed, both versions are the same and the patch is empty (PROTOCOL §5, §6).
  public func takeFrame() -> JSON {
    let since = seen.withLock { $0.version }
    let (frame, json, version) = Self.entering(session) { session in
      (session.poll(since: since), session.opened(url: "").json, session.version)
    }
    seen.withLock { $0 = (JSON.shown(json)["state"] ?? .null, version) }
    TestObservation.current?.message(json, of: number)
    if case .changed(let message) = frame {
      TestObservation.current?.message(message.json, of: number)
      return JSON.shown(message.json)
    }
    return ["from": .string("\(since)"), "to": .string("\(since)"), "patch": []]
  }

  /// The number of revisions so far. An action that changes the state makes one, however much it changes.
  public var revision: UInt64 { Self.entering(session) { $0.version.revision } }

  /// Moves the ``clock``. Sleepers on it wake, timers that are due act, each at its time, and commands that
  /// have taken too long by then end.
  public func advance(by duration: Duration) { clock.advance(by: duration) }

  /// The reports of the session: errors of commands, which clients do not see.
  public var log: [String] { lines.withLock { $0 } }

  // MARK: Within

  /// Makes one change, as a request of a client does.
  private func apply(_ change: Change) throws -> Message {
    let result = Self.entering(session) { session in
      Swift.Result { try session.make([change], since: nil, ifMatch: nil) }
    }
    do {
      let message = try result.get()
      TestObservation.current?.message(message.json, of: number)
      return message
    } catch let refused as ChangesRefused { throw refused.refusals.first?.error ?? refused as any Error }
  }

  /// Waits for the turn in the session, which a command's step may have for a moment.
  static func entering<Result: Sendable>(
    _ session: Session, _ body: @escaping @Sendable (isolated Session) -> Result
  ) -> Result {
    let result = Locked<Result?>(nil)
    let isDone = DispatchSemaphore(value: 0)
    session.submit(body) { value in
      result.withLock { $0 = try? value.get() }
      isDone.signal()
    }
    isDone.wait()
    guard let value = result.withLock({ $0 }) else { stopProgram(bug: "a turn ended without a result") }
    return value
  }

  static func tokens(_ path: String) -> [String] { JSONPointer("/" + path)?.tokens ?? [path] }

  private static func differences(_ old: JSON, _ new: JSON, _ path: [String]) -> [String] {
    guard case .object(let before) = old, case .object(let after) = new else {
      return old == new ? [] : [JSONPointer(path).description.dropFirst()].map(String.init)
    }
    let names = after.map(\.name) + before.map(\.name).filter { name in !after.contains { $0.name == name } }
    return names.flatMap { name -> [String] in
      guard let old = old[name], let new = new[name] else {
        return ["\(JSONPointer(path + [name]))"].map { String($0.dropFirst()) }
      }
      return differences(old, new, path + [name])
    }
  }
}

extension SessionHost {
  /// The credential of a new client of a user. The host has no store, so the credential is there at once.
  fileprivate func enrolled(_ user: User) -> Credential {
    let key = Locked("")
    enroll(user) { result in
      if case .success(let made) = result { key.withLock { $0 = made } }
    }
    return Credential(hashing: key.withLock { $0 })
  }
}
