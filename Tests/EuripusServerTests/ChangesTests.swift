// SPDX-License-Identifier: MIT
import Dispatch
import Euripus
import EuripusTesting
import HTTPListening
import JSONPatching
import Locking
import Testing

@Suite(.timeLimit(.minutes(30))) struct `Changes over HTTP` {
  @Test func `something newer is answered at once, nothing newer with 204`() throws {
    let opened = try Opened()
    let start = try opened.version
    let changes = opened.url + "/changes"
    let none = try opened.client.request("GET", changes + "?since=\(start)")
    #expect((none.status, none["Content-Length"] ?? "0") == (204, "0"))
    #expect((none["Vary"], none["Preference-Applied"]) == ("Accept, Prefer", nil))
    try opened.add()
    let frame = try opened.client.request("GET", changes + "?since=\(start)", fields: [("Prefer", "wait=30")])
    #expect(frame.json?["patch"] == [["op": "replace", "path": "/count", "value": 1]])
    #expect(frame.json?["result"] == nil)
    #expect(frame["Preference-Applied"] == "wait=30")
    #expect(frame["Cache-Control"] == "no-store")
  }

  @Test func `a waiting poll gets the frame of the next change, from whichever client`() throws {
    let opened = try Opened()
    let start = try opened.version
    let reader = try opened.poll()
    let action = try opened.add(2)
    let frame = try reader.receive()
    #expect(frame.status == 200)
    #expect(frame.json?["from"] == .string(start))
    #expect(frame.json?["to"] == action.json?["to"])
    #expect(frame.json?["patch"] == action.json?["patch"])
  }

  @Test func `a wait ends after its seconds with 204, and more than 55 are not granted`() throws {
    let time = Locked<UInt64>(1_000_000_000)
    let opened = try Opened {
      $0.listener.loops = 1
      $0.listener.clock = MonotonicClock { time.withLock { $0 } }
    }
    let actor = try opened.server.client(as: opened.client)
    // The answer to a poll, after these seconds and an action of another client.
    func wait(_ seconds: UInt64) throws -> TestClient.Response {
      let changes = opened.url + "/changes?since=\(try opened.version)"
      try opened.client.send("GET", changes, fields: [("Prefer", "wait=30")])
      try actor.untilMetric("euripus_polls_waiting 1")
      time.withLock { $0 += seconds * 1_000_000_000 }
      opened.server.timePassed()
      // The server has one loop: when it answers this, it has looked at the time.
      #expect(try actor.request("GET", "/healthz").status == 200)
      if seconds == 30 { try actor.untilMetric("euripus_polls_waiting 0") }
      try actor.request("POST", opened.url + "/actions/add", "1")
      return try opened.client.receive()
    }
    #expect(try wait(29).status == 200)
    let ended = try wait(30)
    #expect(ended.status == 204)
    #expect(ended["Preference-Applied"] == "wait=30")

    let changes = opened.url + "/changes?since=x.1"
    let capped = try opened.client.request("GET", changes, fields: [("Prefer", "respond-async, wait=1000")])
    #expect(capped["Preference-Applied"] == "wait=55")
  }

  @Test func `a session can be followed by snapshots alone`() throws {
    let opened = try Opened()
    let tag = try #require(try opened.get()["ETag"])
    let reader = try opened.server.client(as: opened.client)
    try reader.send("GET", opened.url, fields: [("If-None-Match", tag), ("Prefer", "wait=30")])
    try opened.add(9)
    let snapshot = try reader.receive()
    #expect((snapshot.status, snapshot.json?["state"]?["count"]) == (200, 9))
  }

  @Test func `a wait for a snapshot ends after its seconds with 304`() throws {
    let opened = try Opened { $0.letTimePass() }
    let tag = try #require(try opened.get()["ETag"])
    let same = try opened.get("", [("If-None-Match", tag), ("Prefer", "wait=1")])
    #expect((same.status, same["ETag"], same["Cache-Control"]) == (304, tag, "no-store"))
    let twice = [("If-None-Match", tag), ("Prefer", "return=minimal"), ("Prefer", "wait=1")]
    #expect(try opened.get("", twice)["Preference-Applied"] == "wait=1")
  }

  @Test func `closing the session releases its polls with 410`() throws {
    let opened = try Opened()
    let reader = try opened.poll()
    #expect(try opened.send("DELETE").status == 204)
    #expect(try reader.receive().problem == "session-closed")
  }

  @Test(arguments: [false, true])
  func `a client that vanishes waits no more, in a poll or a stream, and holds up its session's end no more`(
    isStream: Bool
  ) throws {
    let opened = try Opened()
    if isStream {
      let stream = try TestStream("\(opened.url)/changes", of: opened.client)
      try opened.client.untilMetric("euripus_polls_waiting 1")
      stream.leave()
    } else {
      let reader = try opened.poll()
      try opened.client.untilMetric("euripus_polls_waiting 1")
      reader.leave()
    }
    try opened.client.untilMetric("euripus_polls_waiting 0")
  }

  @Test func `a media type beside JSON and streams is not acceptable, and the answer names both`() throws {
    let opened = try Opened()
    let response = try opened.get("/changes", [("Accept", "text/html")])
    #expect(response.problem == "not-acceptable")
    #expect(response["Vary"] == "Accept, Prefer")
    #expect(response.text.contains("application/json or text/event-stream"))
    for accept in ["text/html, */*;q=0.1", "application/*", "text/event-stream;q=0.9, application/json", ""] {
      let frame = try opened.get("/changes", [("Accept", accept)])
      #expect((frame.status, frame["Content-Type"]) == (200, "application/json"), "\(accept)")
    }
  }
}
