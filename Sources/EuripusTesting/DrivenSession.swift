// SPDX-License-Identifier: MIT
import Dispatch
import JSONPatching
import Locking
import Sessions
import Storing
import ViewModels

/// The session of one driver, or of several that drive one room.
final class DrivenSession: Sendable {
  let host: SessionHost
  let session: Session
  let clock: TestClock
  /// The reports of the session.
  let lines: Locked<[String]>
  /// The topics that the session tells and follows.
  let topics: TopicHub
  /// The room beside which it is, and the database of its actions, which are there for as long as it is.
  private let room: DrivenSession?
  let database: TestDatabase?

  private init(
    _ host: SessionHost, _ session: Session, _ clock: TestClock, _ lines: Locked<[String]>, _ topics: TopicHub,
    _ database: TestDatabase?, beside room: DrivenSession?
  ) {
    (self.host, self.session, self.clock, self.lines) = (host, session, clock, lines)
    (self.topics, self.database, self.room) = (topics, database, room)
  }

  deinit {
    clock.leave(session)
    host.close(session)
  }

  /// Opens a session in a host of its own.
  ///
  /// - Parameters:
  ///   - room: the session beside which it is, which may be a room that it follows; `nil` for none.
  ///   - client: the client whose session it is; by default a new one.
  /// - Returns: the session, and the client that has opened it.
  static func open(
    _ type: HostedModelType, _ clock: TestClock, at address: String?, by visitor: Visitor,
    _ database: TestDatabase? = nil, beside room: DrivenSession? = nil, as client: Credential? = nil
  ) throws -> (DrivenSession, Requester) {
    let lines = Locked<[String]>([])
    let start = ContinuousClock.now
    var configuration = SessionConfiguration()
    configuration.actionRate = nil
    configuration.actionTime = nil
    // The driver keeps its view model for as long as it lives, however far the test moves the clock.
    configuration.idleTime = .seconds(1_000 * 365 * 86_400)
    configuration.awayTime = configuration.idleTime
    (configuration.storage, configuration.migrations) = (database?.storage, database?.migrations ?? [])
    // A test that is held up loses no action by that.
    configuration.databaseTime = .seconds(3_600)
    let topics = database?.topics ?? room?.topics ?? TopicHub()
    let host = SessionHost(
      [type], configuration: configuration,
      now: { start + clock.now.elapsed }, wallClock: { clock.wallTime.milliseconds }, rooms: room?.host,
      topics: topics,
      report: { line in
        lines.withLock { $0.append("\(line)") }
        TestObservation.current?.log("\(line)")
      })
    try host.openStore(as: "a test")
    let (session, requester) = try host.opening(type.name, at: address, by: visitor, as: client)
    ModelDriver.entering(session) { $0.alwaysAnswers = true }
    clock.join(
      session, next: { ModelDriver.entering(session) { $0.nextTimer }.map { .init(elapsed: $0 - start) } }
    ) {
      host.expire()
      session.checkTimers()
      let isDone = DispatchSemaphore(value: 0)
      session.whenIdle { isDone.signal() }
      isDone.wait()
    }
    return (DrivenSession(host, session, clock, lines, topics, database, beside: room), requester)
  }

  /// A further client that enters the room.
  ///
  /// - Parameter invitation: the invitation by which it comes; `nil` for none.
  func enter(as visitor: Visitor, by invitation: String?) throws -> Requester {
    var visitor = visitor
    visitor.params = ModelDriver.entering(session) { $0.params }
    let requester = try host.opening(session.modelName, at: nil, by: visitor, invitation).requester
    try ModelDriver.entering(session, as: requester) { session in
      Result { try session.enter(requester, by: invitation) }
    }.get()
    return requester
  }
}

extension SessionHost {
  /// Opens a session, and finds it, as a client does. A host soon forgets a session that no request finds.
  fileprivate func opening(
    _ name: String, at address: String?, by visitor: Visitor, as client: Credential? = nil, _ invitation: String? = nil
  ) throws -> (session: Session, requester: Requester) {
    let credential = client ?? visitor.user.map { enrolled($0) }
    // A client of another driver is in no store.
    let opened = try fetching {
      try open(
        name, as: credential, hasFetched: client != nil, at: address.map { .string($0) }, by: visitor,
        proving: client == nil ? nil : visitor.user, adopts: client != nil, invitation: invitation)
    }
    _ = try fetching {
      try find(name, opened.session.id, as: opened.newKey.map { Credential(hashing: $0) } ?? credential)
    }
    return (opened.session, opened.requester)
  }

  /// Does something that may need sessions or clients of the store in memory first.
  private func fetching<Result>(_ body: () throws -> Result) throws -> Result {
    while true {
      do { return try body() } catch let missing as SessionsToFetch {
        let isDone = DispatchSemaphore(value: 0)
        Task(executorPreference: executor) {
          _ = await self.fetch(missing)
          isDone.signal()
        }
        isDone.wait()
      }
    }
  }

  /// The credential of a new client of a user.
  fileprivate func enrolled(_ user: User) -> Credential {
    let key = Locked("")
    let isDone = DispatchSemaphore(value: 0)
    enroll(user) { result in
      if case .success(let made) = result { key.withLock { $0 = made } }
      isDone.signal()
    }
    isDone.wait()
    return Credential(hashing: key.withLock { $0 })
  }
}
