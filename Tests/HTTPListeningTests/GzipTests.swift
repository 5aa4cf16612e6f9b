// SPDX-License-Identifier: MIT
import Dispatch
import Foundation
import Seeded
import Testing

@testable import HTTPListening

@Suite(.timeLimit(.minutes(30))) struct GzipTests {
  /// The text that gzip(1) reads from the bytes.
  private static func read(_ bytes: [UInt8]) throws -> [UInt8] {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["gzip", "-dc"]
    let (input, output) = (Pipe(), Pipe())
    (process.standardInput, process.standardOutput) = (input, output)
    try process.run()
    // The bytes fit into the pipe, so that writing them does not wait for gzip.
    try #require(bytes.count < 65_536)
    input.fileHandleForWriting.write(Data(bytes))
    try input.fileHandleForWriting.close()
    let text = [UInt8](output.fileHandleForReading.readDataToEndOfFile())
    process.waitUntilExit()
    try #require(process.terminationStatus == 0)
    return text
  }

  private static func response(_ body: [UInt8]) -> HTTPResponse {
    HTTPResponse(status: 200, contentType: "text/plain", fields: [], body: body, entityTag: "a.1")
  }

  private func answer(
    to request: String = get, hasBody: Bool = true, _ answer: @escaping @Sendable () -> HTTPAnswer
  ) throws -> RawClient.Response {
    try withListener(handler: { request in
      request.allowGzip()
      return answer()
    }) { listener in
      try listener.client(request).receive(hasBody: hasBody)
    }
  }

  @Test(arguments: [Gzip.Effort.least, .most])
  func `bytes that were coded with each effort are those from before`(effort: Gzip.Effort) throws {
    let bytes = Array(String(repeating: "<p>a line of the page\n", count: 400).utf8)
    let coded = try #require(Gzip.coded(bytes, effort))
    #expect(coded.count < bytes.count / 10)
    #expect(try Self.read(coded) == bytes)
  }

  @Test(arguments: [1_025, 5_000, 1_000_000])
  func `a longer body is sent as gzip, with a tag of its own`(count: Int) throws {
    let body = [UInt8](repeating: 0x61, count: count)
    let response = try answer { .now(Self.response(body)) }
    #expect((response.field("Content-Encoding"), response.field("ETag")) == ("gzip", "\"a.1-gzip\""))
    #expect(response.body.count < count / 10 + 100)
    #expect(try Self.read(response.body) == body)
  }

  @Test(arguments: [0, 1, 1_024])
  func `one of 1 KiB or less is sent as it is`(count: Int) throws {
    let response = try answer { .now(Self.response([UInt8](repeating: 0x61, count: count))) }
    #expect((response.field("Content-Encoding"), response.field("ETag")) == (nil, "\"a.1\""))
    #expect(response.body.count == count)
  }

  @Test func `one that would grow, or is coded already, is sent as it is`() throws {
    var random = SeededGenerator(seed: 1)
    let noise = (0..<2_000).map { _ in UInt8.random(in: 0...255, using: &random) }
    let grown = try answer { .now(Self.response(noise)) }
    #expect(grown.body == noise && grown.field("Content-Encoding") == nil && grown.field("ETag") == "\"a.1\"")
    let coded = try answer {
      var response = Self.response([UInt8](repeating: 0x61, count: 2_000))
      response.fields = [HTTPField("Content-Encoding", "br")]
      return .now(response)
    }
    #expect((coded.body.count, coded.field("Content-Encoding")) == (2_000, "br"))
  }

  @Test(arguments: [
    ("Cache-Control", "no-store, no-transform"), ("cache-control", "NO-TRANSFORM"),
    ("Content-Type", "text/event-stream"), ("content-type", "Text/Event-Stream; charset=utf-8"),
  ])
  func `an event stream, and one that nobody is to transform, is sent as it is`(
    name: StaticString, value: String
  ) throws {
    let body = [UInt8](repeating: 0x61, count: 2_000)
    let response = try answer {
      .now(HTTPResponse(status: 200, fields: [HTTPField(name, value)], body: body, entityTag: "a.1"))
    }
    #expect((response.body, response.field("Content-Encoding"), response.field("ETag")) == (body, nil, "\"a.1\""))
    let types: [(StaticString, String?)] = [("text/event-stream", nil), ("text/event-streams", "gzip")]
    for (type, coding) in types {
      let response = try answer { .now(HTTPResponse(status: 200, contentType: type, fields: [], body: body)) }
      #expect(response.field("Content-Encoding") == coding)
    }
  }

  @Test func `HEAD has the fields of GET, and 304 the length and tag without the coding`() throws {
    let body = [UInt8](repeating: 0x61, count: 2_000)
    let whole = try answer { .now(Self.response(body)) }
    let head = try answer(to: "HEAD / HTTP/1.1\r\nHost: h\r\n\r\n", hasBody: false) { .now(Self.response(body)) }
    for name in ["Content-Length", "Content-Encoding", "ETag"] { #expect(head.field(name) == whole.field(name)) }
    let known = try answer(hasBody: false) {
      var response = Self.response(body)
      response.status = 304
      return .now(response)
    }
    #expect((known.field("Content-Encoding"), known.field("Content-Length")) == (nil, "2000"))
  }

  @Test func `an answer that comes later is gzipped, and the next one is not unless it may be`() throws {
    let body = [UInt8](repeating: 0x61, count: 2_000)
    try withListener(handler: { request in
      if request.target != "/" { return .now(Self.response(body)) }
      request.allowGzip()
      let reply = DeferredReply(deadline: nil) { _, _ in }
      DispatchQueue.global().async { reply.answer(Self.response(body)) }
      return .later(reply)
    }) { listener in
      let client = try RawClient(port: listener.port)
      for _ in 0..<50 {
        try client.send(get + "GET /plain HTTP/1.1\r\nHost: h\r\n\r\n")
        #expect(try client.receive().field("Content-Encoding") == "gzip")
        #expect(try client.receive().body == body)
      }
    }
  }

  @Test func `beside as many as may be compressed at once, one more is not`() throws {
    let queue = GzipQueue(most: 2)
    let response = Self.response([UInt8](repeating: 0x61, count: 2_000))
    let (isHeld, isGiven) = (DispatchSemaphore(value: 0), Mailbox<Int>())
    #expect(
      queue.compress(response) {
        isHeld.wait()
        isGiven.put($0.body.count)
      })
    #expect(queue.compress(response) { isGiven.put($0.body.count) })
    #expect(!queue.compress(response) { _ in Issue.record("it was one too many") })
    isHeld.signal()
    for _ in 0..<2 { #expect(try isGiven.take() < 2_000) }
  }

  @Test func `a server that stops has nobody wait for it`() throws {
    let body = [UInt8](repeating: 0x61, count: 1_000_000)
    for _ in 0..<20 {
      let isAsked = Mailbox<Void>()
      try withListener(handler: { request in
        request.allowGzip()
        let reply = DeferredReply(deadline: nil) { reply, _ in reply.answer(Self.response(body)) }
        isAsked.put(())
        return .later(reply)
      }) { listener in
        let client = try listener.client()
        try isAsked.take()
        listener.stop(within: .zero)
        #expect(try [200, 503].contains(client.receive().status))
      }
    }
  }
}
