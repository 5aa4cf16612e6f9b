// SPDX-License-Identifier: MIT
import Euripus
import EuripusTesting
import JSONPatching
import Testing

@Suite(.timeLimit(.minutes(30))) struct `A stream of changes` {
  private func frame(_ stream: TestStream) throws -> JSON {
    let event = try #require(try stream.nextEvent())
    let frame = try JSONReader.read(Array(event.data.utf8))
    #expect(frame["to"] == .string(event.id))
    return frame
  }

  @Test func `begins with its fields, as for HEAD, the time to come back after, and the state`() throws {
    let opened = try Opened()
    let stream = try TestStream(opened.url + "/changes", of: opened.client)
    #expect(stream.head.status == 200)
    for (name, value) in [
      ("Content-Type", "text/event-stream"), ("Cache-Control", "no-store, no-transform"), ("X-Accel-Buffering", "no"),
      ("Vary", "Accept, Prefer"), ("X-Content-Type-Options", "nosniff"), ("Content-Length", nil),
    ] {
      #expect(stream.head[name] == value, "\(name)")
    }
    #expect(try stream.next() == .retry(2_000))
    let first = try frame(stream)
    #expect(first["from"] == .null)
    #expect(first["state"]?["count"] == 0)
    #expect(try first["to"] == .string(opened.version))
    let head = try opened.client.request("HEAD", opened.url + "/changes", fields: [("Accept", "text/event-stream")])
    let names = { (response: TestClient.Response) in
      response.fields.map(\.name).filter { $0 != "Transfer-Encoding" && $0 != "Connection" }
    }
    #expect(head.status == 200 && names(head) == names(stream.head))
    #expect(opened.client.isClosedByServer())
  }

  @Test func `hands over one patch after another, from whichever client the change comes`() throws {
    let opened = try Opened()
    var held = JSON.string(try opened.version)
    let stream = try TestStream(opened.url + "/changes?since=\(opened.version)", of: opened.client)
    for number in 1...20 {
      try opened.add()
      let next = try frame(stream)
      #expect(next["from"] == held)
      #expect(next["patch"] == [["op": "replace", "path": "/count", "value": .integer(Int64(number))]])
      held = next["to"] ?? .null
    }
  }

  @Test func `goes on from the last event that the reader has, whatever its URL says`() throws {
    let opened = try Opened()
    let start = try opened.version
    try opened.add()
    let middle = try opened.version
    try opened.add()
    let stream = try TestStream(
      opened.url + "/changes?since=\(start)", of: opened.client, fields: [("Last-Event-ID", middle)])
    #expect(try frame(stream)["from"] == .string(middle))
    // A wrong `Last-Event-ID` is ignored, as a browser cannot mend it. A page can mend a wrong `since` in its URL.
    let other = try TestStream(
      opened.url + "/changes?since=\(start)", of: opened.client, fields: [("Last-Event-ID", "x")])
    #expect(try frame(other)["from"] == .string(start))
    let bad = try TestStream(opened.url + "/changes?since=x", of: opened.client, fields: [("Last-Event-ID", middle)])
    #expect(bad.head.problem == "bad-version")
    let foreign = try TestStream(opened.url + "/changes", of: opened.client, fields: [("Last-Event-ID", "other.7")])
    let state = try frame(foreign)
    #expect(state["from"] == "other.7")
    #expect(state["state"]?["count"] == 2)
  }

  @Test func `shows that it lives with comments`() throws {
    let opened = try Opened {
      $0.streams.heartbeat = .milliseconds(10)
      $0.letTimePass()
    }
    let stream = try TestStream(opened.url + "/changes?since=\(opened.version)", of: opened.client)
    #expect(try stream.next() == .retry(2_000))
    for _ in 0..<5 { #expect(try stream.next() == .comment("")) }
    try opened.add()
    #expect(try frame(stream)["patch"] != nil)
  }

  @Test func `ends after its life, to be taken up by another without a gap or a duplicate`() throws {
    let opened = try Opened {
      $0.streams.life = .milliseconds(30)
      $0.letTimePass()
      $0.streams.retry = .milliseconds(1_000)
    }
    var held = try opened.version
    var counts: [Int64] = []
    for round in 1...5 {
      let stream = try TestStream(
        opened.url + "/changes", of: opened.client, fields: [("Last-Event-ID", held)])
      #expect(try stream.next() == .retry(1_000))
      try opened.add(round)
      while let item = try stream.next() {
        switch item {
        case .event(let id, let data):
          let frame = try JSONReader.read(Array(data.utf8))
          #expect(frame["from"] == .string(held))
          guard case .integer(let count)? = frame["patch"]?[0]?["value"] else { throw Opened.Missing() }
          counts.append(count)
          held = id
        case .retry(let milliseconds): #expect((500...1_500).contains(milliseconds))
        case .comment: break
        }
      }
    }
    #expect(counts == counts.sorted() && Set(counts).count == counts.count)
    // A change that came after a stream's end comes with the next request.
    let rest = try opened.get("/changes?since=\(held)")
    #expect(counts.last == 15 || rest.json?["patch"]?[0]?["value"] == 15)
  }

  @Test func `ends at once when its session is closed, and a reader that comes back learns why`() throws {
    let opened = try Opened()
    let stream = try TestStream(opened.url + "/changes?since=\(opened.version)", of: opened.client)
    #expect(try stream.next() == .retry(2_000))
    #expect(try opened.send("DELETE").status == 204)
    #expect(try stream.next() == .retry(0))
    #expect(try stream.next() == nil)
    #expect(try TestStream(opened.url + "/changes", of: opened.client).head.problem == "session-closed")
  }

  @Test func `counts as a waiting poll does, and the oldest of them makes room`() throws {
    let opened = try Opened { $0.listener.loops = 1 }
    let start = try opened.version
    let streams = try (0..<4).map { _ in
      let stream = try TestStream(opened.url + "/changes", of: opened.client)
      #expect(try stream.next() == .retry(2_000))
      #expect(try frame(stream)["state"] != nil)
      return stream
    }
    let poll = try opened.poll()
    #expect(try streams[0].next() == .retry(2_000))
    #expect(try streams[0].next() == nil)
    try opened.add()
    for stream in streams.dropFirst() { #expect(try frame(stream)["from"] == .string(start)) }
    #expect(try poll.receive().status == 200)
  }

  @Test func `ends when the server drains, and its reader comes back for what is newer and no more`() throws {
    let opened = try Opened { $0.streams.retry = .milliseconds(1_000) }
    let held = try opened.version
    let stream = try TestStream(opened.url + "/changes?since=\(held)", of: opened.client)
    #expect(try stream.next() == .retry(1_000))
    let poll = try opened.poll()
    opened.server.drain()
    let isRetry = { (item: TestStream.Item?) in
      if case .retry(500...1_500) = item { true } else { false }
    }
    #expect(try isRetry(stream.next()))
    #expect(try stream.next() == nil)
    // The poll waits on: draining ends streams alone.
    try opened.add()
    #expect(try poll.receive().status == 200)

    let later = try TestStream(opened.url + "/changes", of: opened.client, fields: [("Last-Event-ID", held)])
    #expect(later.head.status == 200)
    #expect(later.head["Content-Type"] == "text/event-stream")
    #expect(later.head["Cache-Control"] == "no-store, no-transform")
    let answer = later.head.text
    let version = try opened.version
    #expect(answer.wholeMatch(of: #/retry: \d+\n\nid: (\S+)\ndata: \{.*"patch":.*\}\n\n/#)?.1 ?? "" == version)
    let latest = try TestStream(opened.url + "/changes", of: opened.client, fields: [("Last-Event-ID", version)])
    #expect(latest.head.text.wholeMatch(of: #/retry: \d+\n\n/#) != nil, "\(latest.head.text)")
  }

  @Test func `ends when the server stops, with a time to come back after that differs`() throws {
    let server = try TestServer([.hosting { Counter() }]) { $0.streams.heartbeat = .seconds(3_600) }
    let streams = try (0..<200).map { _ in
      let client = try server.client()
      let stream = try TestStream(try client.open("counter") + "/changes", of: client)
      #expect(try stream.next() == .retry(2_000))
      #expect(try frame(stream)["state"] != nil)
      return stream
    }
    server.stop()
    var delays: Set<Int> = []
    for stream in streams {
      guard case .retry(let milliseconds)? = try stream.next() else {
        Issue.record("expected a retry")
        continue
      }
      #expect((1_000...3_000).contains(milliseconds))
      delays.insert(milliseconds)
      #expect(try stream.next() == nil)
    }
    #expect(delays.count > 100)
  }
}
