// SPDX-License-Identifier: MIT
import Locking
import ObservableCore
public import Testing

/// The answers of a service, as a test declares them: one answer for each call, in this order.
///
/// ```swift
/// let follow = Scripted("follow", .returns(7), .fails(ServiceError.down), .takes(.seconds(3), on: clock, .returns(8)))
/// let person = try ModelDriver(clock: clock) { PersonViewModel(follow: { _ in try await follow() }) }
/// …
/// follow.expectAllTaken()
/// ```
///
/// A call without an answer fails the test, and throws ``UnexpectedCall``. Answers that no call has taken fail
/// it too: in ``expectAllTaken(sourceLocation:)``, or when the service goes, if that was not called.
public final class Scripted<Value: Sendable>: Sendable {
  /// One answer.
  public indirect enum Answer: Sendable {
    case returns(Value)
    case fails(any Error)
    /// The answer with which the test opens the gate; the test need not open it.
    case waits(Gate<Value>)
    /// An answer that comes after some time.
    case takes(Duration, on: any Clock<Duration>, Answer)
  }

  private struct Script {
    var answers: [Answer]
    var calls = 0
    var isChecked = false
  }

  private let name: String
  private let declared: Int
  private let script: Locked<Script>
  private let sourceLocation: SourceLocation

  public init(_ name: String, _ answers: Answer..., sourceLocation: SourceLocation = #_sourceLocation) {
    self.name = name
    declared = answers.count
    script = Locked(Script(answers: answers))
    self.sourceLocation = sourceLocation
  }

  deinit {
    if !script.withLock({ $0.isChecked }) { report(sourceLocation) }
  }

  /// Answers a call, on the caller's actor.
  public func callAsFunction(isolation: isolated (any Actor)? = #isolation) async throws -> Value {
    let (answer, call) = script.withLock { script -> (Answer?, Int) in
      script.calls += 1
      return (script.answers.isEmpty ? nil : script.answers.removeFirst(), script.calls)
    }
    guard var answer else {
      let error = UnexpectedCall(service: name, call: call, declared: declared)
      Issue.record("\(error)", sourceLocation: sourceLocation)
      throw error
    }
    while true {
      switch answer {
      case .returns(let value): return value
      case .fails(let error): throw error
      case .waits(let gate): return try await gate.pass()
      case .takes(let duration, let clock, let later):
        try await clock.sleep(for: duration)
        answer = later
      }
    }
  }

  /// The number of calls of the service so far.
  public var calls: Int { script.withLock { $0.calls } }

  /// Checks that the service was called as often as there are answers. Call it at the end of a test.
  public func expectAllTaken(sourceLocation: SourceLocation = #_sourceLocation) {
    script.withLock { $0.isChecked = true }
    report(sourceLocation)
  }

  private func report(_ sourceLocation: SourceLocation) {
    let rest = script.withLock { $0.answers }
    if rest.isEmpty { return }
    let words = rest.map { "\n  \($0.description)" }.joined()
    Issue.record(
      "'\(name)' was called \(counted(calls, "time")), and the test declares \(counted(declared, "answer")); not taken:\(words)",
      sourceLocation: sourceLocation)
  }
}

extension Scripted.Answer: CustomStringConvertible {
  public var description: String {
    switch self {
    case .returns(let value): "returns \(value)"
    case .fails(let error): "fails with \(error)"
    case .waits: "waits for a gate"
    case .takes(let duration, _, let later): "takes \(duration), then \(later)"
    }
  }
}

/// A call of a service for which a test declares no answer.
public struct UnexpectedCall: Error, CustomStringConvertible {
  public let service: String
  /// The number of the call, from 1.
  public let call: Int
  let declared: Int

  public var description: String {
    "'\(service)' was called \(counted(call, "time")), and the test declares \(counted(declared, "answer")); "
      + "expected no further call, or an answer to it"
  }
}

private func counted(_ count: Int, _ word: String) -> String { "\(count) \(word)\(count == 1 ? "" : "s")" }
