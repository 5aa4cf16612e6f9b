// SPDX-License-Identifier: MIT
import EuripusApp
import EuripusTesting
import Foundation
import Testing

/// The votes of everybody.
actor Poll {
  private(set) var votes = 0
  private var followers: [UUID: AsyncStream<Int>.Continuation] = [:]

  /// The number of votes: now, and after each vote.
  nonisolated func numbers() -> AsyncStream<Int> {
    AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
      Task { await self.add(continuation) }
    }
  }

  func vote() {
    votes += 1
    for follower in followers.values { follower.yield(votes) }
  }

  private func add(_ follower: AsyncStream<Int>.Continuation) {
    // The session may have ended before this.
    if case .terminated = follower.yield(votes) { return }
    let id = UUID()
    followers[id] = follower
    follower.onTermination = { _ in Task { await self.remove(id) } }
  }

  private func remove(_ id: UUID) { followers[id] = nil }
}

final class PollViewModel: ViewModel {
  @Observed var votes = 0
  private let poll: Poll
  private let numberDidChange = Observer<Int>()

  init(_ poll: Poll) {
    self.poll = poll
    numberDidChange.handle(self) { page, votes in page.votes = votes }
    numberDidChange.follow(poll.numbers(), name: "votes")
  }

  func vote() async { await poll.vote() }

  static let surface = Surface<PollViewModel>(
    "poll", .value("votes", \.$votes).notStored(), .command("vote", PollViewModel.vote, policy: .queue()))
}

struct PollApp: EuripusApp {
  static let poll = Poll()
  var models: Models { hosting(awaitsCommands: true) { PollViewModel(Self.poll) } }
}

/// The Swift of the guide "State that sessions share", compiled and run.
@Suite(.timeLimit(.minutes(30))) struct `The guide on shared state` {
  @Test func `shows two sessions that see each other's votes`() async throws {
    let poll = Poll()
    let (anna, bob) = (try ModelDriver { PollViewModel(poll) }, try ModelDriver { PollViewModel(poll) })
    try anna.perform("vote")
    try bob.perform("vote")
    await anna.wait { $0["votes"] == 2 }
    await bob.wait { $0["votes"] == 2 }
  }

  @Test func `shows a view model that a restart leaves as it was, as all follow one poll`() async throws {
    let poll = Poll()
    try await expectRestorable { PollViewModel(poll) }
  }
}
