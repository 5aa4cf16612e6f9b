// SPDX-License-Identifier: MIT
import Glibc
import Testing

@testable import EuripusApp

struct `The restart of a server` {
  typealias Ending = RestartPolicy.Ending
  typealias Decision = RestartPolicy.Decision
  private static let crash = Ending.killed(signal: 4)

  /// The decisions on crashes of servers that have served, one after each of these lives.
  private func decisions(_ lives: [Duration], _ policy: RestartPolicy = RestartPolicy()) -> [Decision] {
    var policy = policy
    return lives.map { policy.decide(Self.crash, wasReady: true, lived: $0, isStopping: false) }
  }

  /// The decision on the end of a server that has lived for no time.
  private func decision(_ ending: Ending, wasReady: Bool, isStopping: Bool = false, after crashes: Int = 0) -> Decision
  {
    var policy = RestartPolicy()
    for _ in 0..<crashes { _ = policy.decide(Self.crash, wasReady: true, lived: .zero, isStopping: false) }
    return policy.decide(ending, wasReady: wasReady, lived: .zero, isStopping: isStopping)
  }

  @Test func `is at once after one crash, and after twice as long a wait each time, up to five seconds`() {
    let waits = [0, 100, 200, 400, 800, 1_600, 3_200, 5_000, 5_000]
    let expected = waits.map { Decision.restart(after: .milliseconds($0)) }
    #expect(decisions(Array(repeating: .milliseconds(30), count: waits.count)) == expected)
    #expect(decisions(Array(repeating: .zero, count: 10_000)).last == .restart(after: .seconds(5)))
    let patient = RestartPolicy(firstWait: .seconds(10), longestWait: .seconds(5))
    #expect(decisions([.zero, .zero], patient).last == .restart(after: .seconds(5)))
  }

  @Test func `is at once again after a minute of life, and not a moment earlier`() {
    let short = Duration.seconds(60) - .nanoseconds(1)
    #expect(
      decisions([.zero, .zero, short, .seconds(60), short, .seconds(3_600)])
        == [0, 100, 200, 0, 100, 0].map { .restart(after: .milliseconds($0)) })
  }

  @Test func `is at once after a death of a known work, which counts for nothing else`() {
    var policy = RestartPolicy()
    let known = (0..<20).map { _ in
      policy.decide(Self.crash, wasReady: true, lived: .zero, isStopping: false, isCauseKnown: true)
    }
    #expect(known == Array(repeating: .restart(after: .zero), count: 20))
    #expect(decisions([.zero, .zero], policy) == [.restart(after: .zero), .restart(after: .milliseconds(100))])
  }

  @Test func `comes also after status 0, if nobody told the server to end: a view model may have called exit`() {
    #expect(decision(.exited(status: 0), wasReady: true) == .restart(after: .zero))
    #expect(decision(.exited(status: 0), wasReady: false) == .end(status: 0))
  }

  @Test(arguments: [Ending.exited(status: 64), .exited(status: 1), .killed(signal: 11)])
  func `is never before any has served, so the caller learns of it`(ending: Ending) {
    #expect(decision(ending, wasReady: false) == .end(status: ending.status))
  }

  @Test func `comes after a while, if one has served before and this one could not`() {
    #expect(decision(.exited(status: 1), wasReady: false, after: 1) == .restart(after: .milliseconds(100)))
  }

  @Test(arguments: [64, 65] as [Int32])
  func `is never after a fault that does not change by itself, though one has served before`(status: Int32) {
    #expect(decision(.exited(status: status), wasReady: false, after: 1) == .end(status: status))
    // After clients were served, the status may be a view model's own, and says nothing of the kind.
    #expect(decision(.exited(status: status), wasReady: true, after: 1) != .end(status: status))
  }

  @Test(
    arguments: [
      (.exited(status: 0), true, 0), (.exited(status: 130), true, 130), (.killed(signal: 1), true, 129),
      (.killed(signal: 4), true, 132),
      // It was told so early that it could not take the signal yet.
      (.killed(signal: SIGTERM), false, 0), (.killed(signal: SIGINT), false, 0),
    ] as [(Ending, Bool, Int32)])
  func `is never after the server was told to end, and its status is the supervisor's`(
    ending: Ending, wasReady: Bool, status: Int32
  ) {
    #expect(decision(ending, wasReady: wasReady, isStopping: true) == .end(status: status))
  }
}
