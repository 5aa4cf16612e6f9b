// SPDX-License-Identifier: MIT
import Dispatch
import JSONPatching
import Locking
import ObservableCore
import ViewModels

@testable import Sessions
@testable import Storing

/// A view model with a value of each kind, and actions that rename it or fail.
final class Note: ViewModel {
  struct Failure: Error {}
  let title = Observable("")
  let body = Observable(String(repeating: "long enough that the state is longer than one patch. ", count: 8))
  let key = Observable("")
  let rename = Observer<String>()
  let fail = Observer<Void>()

  init() {
    rename.handle(self) { $0.title.value = $1 }
    fail.handle(self) { note, _ in
      note.title.value = "half done"
      throw Failure()
    }
  }

  static let surface = Surface<Note>(
    "note", .twoWay("title", \.title), .value("body", \.body), .secret("key", \.key), .action("rename", \.rename),
    .action("fail", \.fail))
}

/// A clock that stands still until a test moves it.
final class ManualClock: Sendable {
  private let start = ContinuousClock.now
  private let passed = Locked<Duration>(.zero)
  func advance(by duration: Duration) { passed.withLock { $0 += duration } }
  var now: ContinuousClock.Instant { start + passed.withLock { $0 } }
}

/// The answers that readers got, as text.
final class Answers: Sendable {
  private let texts = Locked<[String]>([])
  var all: [String] { texts.withLock { $0 } }
  private let waiters = Locked<[Int: Waiter]>([:])

  /// A reader with a number, under which its answers are noted.
  struct Numbered {
    let number: Int
    let answers: Answers
    func answer(_ answer: PollAnswer) { answers.texts.withLock { $0.append("\(number) \(text(answer))") } }
    var waiter: Waiter { answers.waiters.withLock { $0[number] ?? Waiter.poll(since: nil) } }
    func begins(_ waiter: Waiter) -> Waiter {
      answers.waiters.withLock { $0[number] = waiter }
      return waiter
    }
  }

  func waiter(_ number: Int) -> Numbered { Numbered(number: number, answers: self) }
}

func text(_ answer: PollAnswer?) -> String {
  switch answer {
  case nil: "waits"
  case .changed(let message): "changed to \(message.version.revision)"
  case .unchanged: "unchanged"
  case .displaced(let seconds): "displaced for \(seconds)"
  case .closed: "closed"
  case .failed(let error): "failed: \(error)"
  }
}

extension Session {
  /// Runs `body` in the session's turn, and waits for that turn: a command's step may have it at first.
  nonisolated func now<Result: Sendable>(_ body: @escaping @Sendable (isolated Session) throws -> Result) throws
    -> Result
  {
    // The caller goes on after the turn. It does not wait until the change is stored.
    let outcome = Locked<Swift.Result<Result, any Error>?>(nil)
    let isDone = DispatchSemaphore(value: 0)
    executor.submit {
      self.assumeIsolated { session in
        session.executor.afterTurn { isDone.signal() }
        let result = Swift.Result {
          guard session.arrive() else { throw SessionError.left }
          session.touch(session.services.now())
          return try body(session)
        }
        outcome.withLock { $0 = result }
      }
    }
    guard isDone.wait(timeout: .now() + 120) == .success, let result = outcome.withLock({ $0 }) else { throw Hangs() }
    return try result.get()
  }

  /// The error if the turn does not come at all.
  struct Hangs: Error {}
}

/// The outcome of an attempt to enter a session.
enum Entrance<Result: Sendable> {
  /// Another job has the turn.
  case busy
  /// The session is not in memory any more.
  case left
  case done(Result)
  /// The body has run, and its result is told when the change is stored.
  case held(Result)

  var isDone: Bool { if case .done = self { true } else { false } }
  var hasLeft: Bool { if case .left = self { true } else { false } }
  var result: Result? { if case .done(let result) = self { result } else { nil } }
  /// The result that is not told yet.
  var held: Result? { if case .held(let result) = self { result } else { nil } }
}

extension Session {
  @discardableResult nonisolated func enter<Result: Sendable>(_ body: @escaping @Sendable (isolated Session) -> Result)
    -> Entrance<Result>
  {
    let done = Locked<Result?>(nil)
    let told = Locked<Swift.Result<Result, SessionError>?>(nil)
    submit { session in
      let result = body(session)
      done.withLock { $0 = result }
      return result
    } then: { result in
      told.withLock { $0 = result }
    }
    if case .failure(.left)? = told.withLock({ $0 }) { return .left }
    guard let result = done.withLock({ $0 }) else { return .busy }
    return told.withLock { $0 } == nil ? .held(result) : .done(result)
  }

  /// Calls `tell` when everything is stored; with an error if it is not.
  nonisolated func whenStored(_ tell: @escaping @Sendable (SessionError?) -> Void) {
    guard let keeping else { return tell(nil) }
    keeping.gate.pass(tell, after: keeping.gate.last)
  }
}

/// Calls with numbered readers.
extension Session {
  func poll(since: Version?, wantsSnapshot: Bool = false, waiter reader: Answers.Numbered) -> PollAnswer? {
    poll(reader.begins(.poll(since: since, wantsSnapshot: wantsSnapshot))) { reader.answer($0) }
  }
  func follow(_ reader: Answers.Numbered, since: Version?) -> PollAnswer? {
    follow(reader.begins(.follower(since: since))) { reader.answer($0) }
  }
  func next(for reader: Answers.Numbered) -> PollAnswer? { next(for: reader.waiter) }
  func endWait(_ reader: Answers.Numbered, _ answer: PollAnswer?) { endWait(of: reader.waiter, answer) }
}

extension ChangeRequest {
  /// A request that waits for its commands, and whose errors are told unchanged.
  static func waiting(for changes: [Change?], key: KeyedRequest? = nil) -> ChangeRequest {
    ChangeRequest(
      .success(.changes(changes, isList: false, since: nil, ifMatch: nil)), key: key, waitsForCommands: true,
      refusal: { Refusal($0, kept: nil) })
  }
}

/// Calls with one change each, which throw the error of that change.
extension Session {
  func make(_ change: Change, since: Version?, ifMatch: Precondition?) throws -> Message {
    do { return try make([change], since: since, ifMatch: ifMatch) } catch let refused as ChangesRefused {
      throw refused.refusals.first?.error ?? refused as any Error
    }
  }
  func perform(_ path: [String], _ value: JSON?, since: Version?, ifMatch: Precondition?) throws -> Message {
    try make(.perform(path, value), since: since, ifMatch: ifMatch)
  }
  func assign(_ path: [String], _ value: JSON, since: Version?, ifMatch: Precondition?) throws -> Message {
    try make(.set(path, value), since: since, ifMatch: ifMatch)
  }
  func cancel(_ path: [String], since: Version?, ifMatch: Precondition?) throws -> Message {
    try make(.cancel(path), since: since, ifMatch: ifMatch)
  }
}

extension Message {
  var value: JSON { get throws { try JSONReader.read(json) } }
}

extension SessionHost {
  /// A host whose clock stands still. So no action takes long, however busy the machine is.
  static func still(
    _ types: [HostedModelType], configuration: SessionConfiguration = SessionConfiguration()
  ) -> SessionHost {
    let clock = ManualClock()
    return SessionHost(types, configuration: configuration, now: { clock.now })
  }
}

extension SessionHost.Found {
  /// The outcome of a search as text, such as `superseded`.
  var text: String {
    switch self {
    case .session: "session"
    case .refused(.credentialReplaced): "credential replaced"
    case .refused(.signedOut): "signed out"
    case .refused: "refused"
    case .closed(.superseded): "superseded"
    case .closed(.ended): "ended"
    case .closed: "closed"
    case .none: "none"
    }
  }

  var closing: Closing? { if case .closed(let closing) = self { closing } else { nil } }
}

extension SessionError {
  /// The name of a case that has a value, such as `storeFull`.
  var name: String? { Mirror(reflecting: self).children.first?.label }
}

extension PollAnswer {
  var message: Message? { if case .changed(let message) = self { message } else { nil } }
}

extension SessionHost.Opened {
  var credential: Credential? { newKey.map { Credential(hashing: $0) } }
}

extension SessionConfiguration {
  /// A configuration without limits to the rate and the time of actions.
  static var unhurried: SessionConfiguration {
    with {
      $0.actionRate = nil
      $0.actionTime = nil
    }
  }

  static func with(_ set: (inout SessionConfiguration) -> Void) -> SessionConfiguration {
    var configuration = SessionConfiguration()
    set(&configuration)
    return configuration
  }
}
