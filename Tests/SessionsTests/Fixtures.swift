// SPDX-License-Identifier: MIT
import JSONPatching
import Locking
import ObservableCore
import ViewModels

@testable import Sessions

/// A view model with a value of each kind.
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

/// A clock that stands still until it is moved.
final class ManualClock: Sendable {
  private let start = ContinuousClock.now
  private let passed = Locked<Duration>(.zero)
  func advance(by duration: Duration) { passed.withLock { $0 += duration } }
  var now: ContinuousClock.Instant { start + passed.withLock { $0 } }
}

/// What polls were answered.
final class Answers: Sendable {
  private let texts = Locked<[String]>([])
  var all: [String] { texts.withLock { $0 } }
  func waiter(_ id: UInt64) -> Waiter {
    Waiter(id: id) { answer in self.texts.withLock { $0.append("\(id) \(text(answer))") } }
  }
  func follower(_ id: UInt64, since: Version?) -> Waiter {
    Waiter(id: id, since: since) { answer in self.texts.withLock { $0.append("\(id) \(text(answer))") } }
  }
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
  /// The turn is free in these tests unless they take it.
  nonisolated func now<Result: Sendable>(_ body: @escaping @Sendable (isolated Session) throws -> Result) throws
    -> Result
  {
    switch enter({ session in Swift.Result { try body(session) } }) {
    case .done(let result), .held(let result): return try result.get()
    case .busy: throw TurnTaken()
    case .left: throw SessionError.left
    }
  }
  struct TurnTaken: Error {}
}

extension Message {
  var value: JSON { get throws { try JSONReader.read(json) } }
}

extension SessionHost.Configuration {
  /// Of a host whose sessions take as many actions as a test has.
  static var unhurried: SessionHost.Configuration {
    var configuration = SessionHost.Configuration()
    configuration.actionRate = nil
    return configuration
  }
}
