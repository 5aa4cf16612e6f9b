// SPDX-License-Identifier: MIT
import Euripus
import EuripusTesting
import JSONPatching
import Testing

/// Each setting of keys and of polls has its effect, under its name and with its own value.
@Suite(.timeLimit(.minutes(5))) struct `The server's configuration` {
  typealias Place = any WritableKeyPath<ServerConfiguration, Int> & Sendable

  @Test func `sets how many keys a session remembers`() throws {
    for (limit, count) in [(2, "3"), (1, "4")] {
      let opened = try Opened { $0.sessions.maxKeys = limit }
      for key in ["a", "b", "c", "b"] {
        let answer = try opened.client.request(
          "POST", opened.url + "/actions/add", "1", fields: [("Idempotency-Key", key)])
        #expect(answer.status == 200)
      }
      #expect(try opened.client.request("GET", opened.url + "/state/count").text == count, "\(limit)")
    }
  }

  @Test func `sets what a session's keys may have`() throws {
    for (limit, count) in [(1_024, "9"), (4_096, "8")] {
      let opened = try Opened { $0.sessions.maxKeyBytes = limit }
      for key in ["a", "b", "c", "d", "e", "f", "g", "h", "a"] {
        let answer = try opened.client.request(
          "POST", opened.url + "/actions/add", "1", fields: [("Idempotency-Key", key)])
        #expect(answer.status == 200)
      }
      #expect(try opened.client.request("GET", opened.url + "/state/count").text == count, "\(limit)")
    }
  }

  @Test(
    arguments: [
      (\.sessions.maxPollsPerSession, 2),
      (\.sessions.maxPollsPerClient, 3),
      (\.sessions.maxPollsPerClient, 8),
    ] as [(Place, Int)])
  func `sets how many polls wait, of a client and in a session`(
    place: Place, count: Int
  ) throws {
    let opened = try Opened { $0[keyPath: place] = count }
    let version = try opened.version
    let polls = try (0...count).map { _ in
      let client = try opened.server.client()
      client.cookie = opened.client.cookie
      try client.send("GET", "\(opened.url)/changes?since=\(version)", fields: [("Prefer", "wait=55")])
      return client
    }
    let displaced = try #require(TestClient.firstReadable(of: polls))
    #expect(try polls[displaced].receive().status == 204)
    try opened.client.request("POST", "\(opened.url)/actions/add", "1")
    // If fewer polls had room, one of these would have been displaced as well.
    for index in polls.indices where index != displaced { #expect(try polls[index].receive().status == 200) }
  }
}
