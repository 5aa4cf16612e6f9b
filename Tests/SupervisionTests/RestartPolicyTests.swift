// SPDX-License-Identifier: MIT
import Glibc
import Testing

@testable import EuripusApp

struct `When a server is started again` {
  private static let crash = RestartPolicy.Ending.killed(signal: 4)

  /// The decisions on crashes of servers that have served, one after each of these lives.
  private func decisions(_ lives: [Duration], _ policy: RestartPolicy = RestartPolicy()) -> [RestartPolicy.Decision] {
    var policy = policy
    return lives.map { policy.decide(Self.crash, wasReady: true, lived: $0, isStopping: false) }
  }

  @Test func `is at once after one crash, and after twice as long a wait each time, up to five seconds`() {
    let waits = [0, 100, 200, 400, 800, 1_600, 3_200, 5_000, 5_000]
    let expected = waits.map { RestartPolicy.Decision.restart(after: .milliseconds($0)) }
    #expect(decisions(Array(repeating: .milliseconds(30), count: waits.count)) == expected)
  }

  @Test func `is at once again after a minute of life, and not a moment earlier`() {
    let short = Duration.seconds(60) - .nanoseconds(1)
    #expect(
      decisions([.zero, .zero, short, .seconds(60), short, .seconds(3_600)])
        == [0, 100, 200, 0, 100, 0].map { .restart(after: .milliseconds($0)) })
  }

  @Test func `is at once where it is known what it died of, which counts for nothing else`() {
    var policy = RestartPolicy()
    let known = (0..<20).map { _ in
      policy.decide(Self.crash, wasReady: true, lived: .zero, isStopping: false, isCauseKnown: true)
    }
    #expect(known == Array(repeating: .restart(after: .zero), count: 20))
    #expect(decisions([.zero, .zero], policy) == [.restart(after: .zero), .restart(after: .milliseconds(100))])
  }

  @Test func `never overflows, however often it crashes`() {
    #expect(decisions(Array(repeating: .zero, count: 10_000)).last == .restart(after: .seconds(5)))
    let patient = RestartPolicy(firstWait: .seconds(10), longestWait: .seconds(5))
    #expect(decisions([.zero, .zero], patient).last == .restart(after: .seconds(5)))
  }

  @Test func `is never, if it ended with status 0`() {
    var policy = RestartPolicy()
    #expect(policy.decide(.exited(status: 0), wasReady: true, lived: .zero, isStopping: false) == .end(status: 0))
  }

  @Test(arguments: [RestartPolicy.Ending.exited(status: 64), .exited(status: 1), .killed(signal: 11)])
  func `is never, if none has served yet: who started it is told`(ending: RestartPolicy.Ending) {
    var policy = RestartPolicy()
    let decision = policy.decide(ending, wasReady: false, lived: .seconds(90), isStopping: false)
    #expect(decision == .end(status: ending.status))
  }

  @Test func `is in a while, if one has served before and this one could not`() {
    var policy = RestartPolicy()
    #expect(policy.decide(Self.crash, wasReady: true, lived: .zero, isStopping: false) == .restart(after: .zero))
    let failed = policy.decide(.exited(status: 1), wasReady: false, lived: .zero, isStopping: false)
    #expect(failed == .restart(after: .milliseconds(100)))
  }

  @Test(arguments: [64, 65])
  func `is never, if it has found what does not change by itself, though one has served before`(status: Int32) {
    var policy = RestartPolicy()
    #expect(policy.decide(Self.crash, wasReady: true, lived: .zero, isStopping: false) == .restart(after: .zero))
    #expect(
      policy.decide(.exited(status: status), wasReady: false, lived: .zero, isStopping: false) == .end(status: status))
    // After clients were served, the status may be a view model's own, and says nothing of the kind.
    #expect(
      policy.decide(.exited(status: status), wasReady: true, lived: .zero, isStopping: false) != .end(status: status))
  }

  @Test func `is never, if it was told to end before it could take the signal, which is status 0`() {
    var policy = RestartPolicy()
    for signal in [SIGTERM, SIGINT] {
      let decision = policy.decide(.killed(signal: signal), wasReady: false, lived: .zero, isStopping: true)
      #expect(decision == .end(status: 0))
    }
  }

  @Test(arguments: [
    RestartPolicy.Ending.exited(status: 0), .exited(status: 130), .killed(signal: 1), .killed(signal: 4),
  ])
  func `is never, if it was told to end; its status is the supervisor's`(ending: RestartPolicy.Ending) {
    var policy = RestartPolicy()
    #expect(
      policy.decide(ending, wasReady: true, lived: .zero, isStopping: true) == .end(status: ending.status))
  }
}
