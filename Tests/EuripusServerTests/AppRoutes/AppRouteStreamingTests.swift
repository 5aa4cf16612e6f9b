// SPDX-License-Identifier: MIT
import Dispatch
import Euripus
import Locking
import Testing

@testable import EuripusTesting

@Suite(.timeLimit(.minutes(30))) struct `A route that reads the body while it comes` {
  /// Answers with the number of bytes and their sum, and tells each piece.
  private func counting(_ pieces: @escaping @Sendable (Int) -> Void = { _ in }) -> AppRoute.ReadingFunction {
    { request, body in
      var (count, sum) = (0, 0)
      for try await piece in body {
        pieces(piece.count)
        count += piece.count
        for byte in piece { sum += Int(byte) }
      }
      return .text("\(request.parameters["name"] ?? "-") \(count) \(sum)")
    }
  }

  @Test func `gets all of it, in pieces`() throws {
    let longest = Locked(0)
    let server = try TestServer(routes: [
      .put("/big/{name}", maxBodyBytes: 10_000_000, counting { count in longest.withLock { $0 = max($0, count) } })
    ])
    let client = try server.client()
    let text = String(repeating: "0123456789", count: 300_000)
    #expect(try client.request("PUT", "/big/a%20b", text).text == "a b 3000000 157500000")
    #expect(longest.withLock { $0 } < 200_000)
    #expect(try client.request("PUT", "/big/none", "").text == "none 0 0")
  }

  @Test func `is called when the head is there`() throws {
    let (hasBegun, sizes) = (DispatchSemaphore(value: 0), Locked<[Int]>([]))
    let server = try TestServer(routes: [
      .post("/big", maxBodyBytes: 100) { request, body in
        hasBegun.signal()
        for try await piece in body { sizes.withLock { $0.append(piece.count) } }
        return .empty
      }
    ])
    let client = try server.client()
    try client.send(raw: "POST /big HTTP/1.1\r\nHost: 127.0.0.1:\(server.port)\r\nContent-Length: 4\r\n\r\n")
    hasBegun.wait()
    try client.send(raw: "abcd")
    #expect(try client.receive().status == 204)
    #expect(sizes.withLock { $0.reduce(0, +) } == 4)
  }

  @Test func `is not called for a request that is not let in, and refuses a body that is too long`() throws {
    let calls = Locked(0)
    let server = try TestServer(routes: [
      .post("/big", maxBodyBytes: 1_000) { _, _ in
        calls.withLock { $0 += 1 }
        return .empty
      }
    ])
    let foreign = [("Origin", "https://evil.example"), ("Sec-Fetch-Site", "cross-site")]
    #expect(try server.client().request("POST", "/big", "abc", fields: foreign).status == 403)
    #expect(
      try server.client().request("POST", "/big", String(repeating: "a", count: 1_001)).problem == "body-too-large")
    #expect(calls.withLock { $0 } == 0)
  }

  @Test func `is told when its client leaves`() throws {
    let (hasBegun, isLost) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let server = try TestServer(routes: [
      .post("/big", maxBodyBytes: 100) { _, body in
        hasBegun.signal()
        do { for try await _ in body {} } catch is RouteBodyLost { isLost.signal() }
        return .empty
      }
    ])
    let client = try server.client()
    try client.send(raw: "POST /big HTTP/1.1\r\nHost: 127.0.0.1:\(server.port)\r\nContent-Length: 4\r\n\r\nab")
    hasBegun.wait()
    client.leave()
    isLost.wait()
  }

  @Test func `may take its time after the body's end, and not more`() throws {
    let server = try TestServer(routes: [
      .post("/big", maxBodyBytes: 100, time: .milliseconds(20)) { _, body in
        for try await _ in body {}
        try await Gate<Void>().pass()
        return .empty
      }
    ])
    #expect(try server.client().request("POST", "/big", "abc").problem == "overloaded")
  }
}

@Suite(.timeLimit(.minutes(30))) struct `A response that is written while it is sent` {
  private func body(of client: TestClient) throws -> [UInt8] {
    var body: [UInt8] = []
    while true {
      let chunk = try client.receiveChunk()
      if chunk.isEmpty { return body }
      body += chunk
    }
  }

  @Test func `arrives as a whole, and the connection goes on`() throws {
    let server = try TestServer(routes: [
      .get("/table") { _ in
        .stream(type: "text/csv; charset=utf-8") { writer in
          for row in 0..<2_000 { try await writer.write("row \(row)\r\n") }
        }
      }
    ])
    let client = try server.client()
    for _ in 0..<2 {
      try client.send("GET", "/table")
      let head = try client.receive(hasBody: false)
      #expect(head["Content-Type"] == "text/csv; charset=utf-8")
      #expect(head["Transfer-Encoding"] == "chunked")
      #expect(try body(of: client) == Array((0..<2_000).map { "row \($0)\r\n" }.joined().utf8))
    }
  }

  @Test func `is not written for HEAD`() throws {
    let calls = Locked(0)
    let server = try TestServer(routes: [
      .get("/table") { _ in .stream(type: "text/csv") { _ in calls.withLock { $0 += 1 } } }
    ])
    let head = try server.client().request("HEAD", "/table")
    #expect((head.status, head["Content-Type"]) == (200, "text/csv"))
    #expect(calls.withLock { $0 } == 0)
    // Nobody knows how long it would be.
    #expect((head["Content-Length"], head["Transfer-Encoding"]) == (nil, nil))
  }

  @Test func `meets conditions by its entity tag, and is written where they hold`() throws {
    let calls = Locked(0)
    let server = try TestServer(routes: [
      .get("/table") { _ in
        var response = RouteResponse.stream(type: "text/csv") { writer in
          calls.withLock { $0 += 1 }
          try await writer.write("one\r\n")
        }
        response.entityTag = "v1"
        return response
      }
    ])
    for method in ["GET", "HEAD"] {
      let known = try server.client().request(method, "/table", fields: [("If-None-Match", "\"v1\"")])
      #expect((known.status, known["ETag"], known["Cache-Control"]) == (304, "\"v1\"", "no-store"))
      #expect((known["Content-Length"], known["Transfer-Encoding"]) == (nil, nil))
      let moved = try server.client().request(method, "/table", fields: [("If-Match", "\"v2\"")])
      #expect((moved.status, moved["ETag"]) == (412, "\"v1\""))
    }
    #expect(calls.withLock { $0 } == 0)
    let client = try server.client()
    try client.send("GET", "/table", fields: [("If-None-Match", "\"v2\"")])
    #expect(try client.receive(hasBody: false).status == 200)
    #expect(try body(of: client) == Array("one\r\n".utf8))
  }

  @Test func `is broken off when its function fails, and the log says so`() throws {
    struct Failure: Error {}
    let server = try TestServer(routes: [
      .get("/table") { _ in
        .stream(type: "text/csv") { writer in
          try await writer.write("one\r\n")
          throw Failure()
        }
      }
    ])
    let client = try server.client()
    try client.send("GET", "/table")
    #expect(try client.receive(hasBody: false).status == 200)
    #expect(throws: (any Error).self) { try body(of: client) }
    #expect(client.isClosedByServer())
    #expect(server.log.contains { $0.contains("failed while it sent its body") && $0.contains("Failure") })
  }

  @Test func `is cancelled when its client leaves`() throws {
    let wasCancelled = DispatchSemaphore(value: 0)
    let server = try TestServer(routes: [
      .get("/table") { _ in
        .stream(type: "text/csv") { writer in
          do { while true { try await writer.write("row\r\n") } } catch is CancellationError { wasCancelled.signal() }
        }
      }
    ])
    let client = try server.client()
    try client.send("GET", "/table")
    #expect(try client.receive(hasBody: false).status == 200)
    client.leave()
    wasCancelled.wait()
  }
}
