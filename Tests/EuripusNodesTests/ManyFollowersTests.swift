// SPDX-License-Identifier: MIT
import Euripus
import EuripusNodes
import EuripusTesting
import Foundation
import JSONPatching
import Locking
import Seeded
import Testing

/// Something outside of all sessions, which they read.
private final class Outside: Sendable {
  let newest = Locked(0)
  /// The sessions that are reading, and the number of readings that began while another one of the session was under way.
  let readers = Locked((now: [String: Int](), twice: 0))

  func read(_ session: String) async -> Int {
    readers.withLock { readers in
      readers.now[session, default: 0] += 1
      if readers.now[session, default: 0] > 1 { readers.twice += 1 }
    }
    let value = newest.withLock { $0 }
    await Task.yield()
    readers.withLock { $0.now[session, default: 0] -= 1 }
    return value
  }
}

private final class Follower: ViewModel {
  @Observed var value = 0
  private let outside: Outside
  private let context: SessionContext
  private var reading: TopicFollowing?

  init(_ outside: Outside, _ context: SessionContext) {
    (self.outside, self.context) = (outside, context)
    reading = context.follow("news", by: self, Follower.read)
  }

  nonisolated(nonsending) func read() async throws { value = await outside.read(context.session) }

  static let surface = Surface<Follower>("follower", .value("value", \.$value))
}

/// A topic that is told often, at three servers, while their connections to the database break.
@Suite(.timeLimit(.minutes(30))) struct `Many who follow a topic` {
  /// `EURIPUS_FOLLOWERS` is the number of followers. There are ten times as many tells.
  private let followers = ProcessInfo.processInfo.environment["EURIPUS_FOLLOWERS"].flatMap { Int($0) } ?? 90
  private var tells: Int { 10 * followers }

  @Test func `all end at the newest, and none of them reads twice at once`() async throws {
    let (schema, outside) = (try TestSchema(), Outside())
    let servers = try (0..<3).map { _ in
      try schema.server([.hosting { Follower(outside, $0) }])
    }
    var sessions: [(client: TestClient, url: String)] = []
    for index in 0..<followers {
      let client = try servers[index % 3].client()
      sessions.append((client, try await client.open("follower")))
    }
    var generator = SeededGenerator(seed: 1)
    for tell in 1...tells {
      outside.newest.withLock { $0 = tell }
      servers[Int.random(in: 0..<3, using: &generator)].server.tell("news")
      // The last ones may be lost with the connections that have them.
      if tell % (tells / 5) == 0 {
        try schema.cut()
      }
    }
    for (client, url) in sessions {
      try await client.wait(url) { $0["value"] == .integer(Int64(tells)) }
    }
    #expect(outside.readers.withLock { $0.twice } == 0)
  }
}
