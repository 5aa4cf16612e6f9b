// SPDX-License-Identifier: MIT
import EuripusClient
import Foundation
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A server that answers by a script, and remembers the requests.
private actor Script {
  enum Line {
    case answer(Int, String, retryAfter: String? = nil)
    case lost
  }
  private var lines: [Line]
  private(set) var requests: [URLRequest] = []

  init(_ lines: [Line]) { self.lines = lines }

  func answer(_ request: URLRequest) throws -> (Data, URLResponse) {
    requests.append(request)
    guard !lines.isEmpty, case .answer(let status, let body, let retryAfter) = lines.removeFirst(),
      let url = request.url,
      let head = HTTPURLResponse(
        url: url, statusCode: status, httpVersion: nil, headerFields: retryAfter.map { ["Retry-After": $0] })
    else { throw URLError(.networkConnectionLost) }
    return (Data(body.utf8), head)
  }

  var keys: [String?] { requests.map { $0.value(forHTTPHeaderField: "Idempotency-Key") } }
  var targets: [String] { requests.map { $0.url.map { $0.path + ($0.query.map { "?" + $0 } ?? "") } ?? "" } }
}

@MainActor @Suite struct `A client in Swift` {
  private static let opened = Script.Line.answer(
    201,
    #"{"url":"/sessions/m/i","token":"t","version":"e.1","state":{"n":1,"rows":{"order":["a"],"items":{"a":{"x/~":0}}}}}"#
  )

  private final class Waits { var all: [Duration] = [] }
  private let waits = Waits()

  private func session(_ script: Script) async throws -> RemoteSession {
    let url = try #require(URL(string: "http://127.0.0.1:1"))
    return try await RemoteSession(
      opening: "m", at: url, transport: { try await script.answer($0) }, pause: { [waits] in waits.all.append($0) })
  }

  private static func frame(_ from: String, _ to: String, _ patch: String, _ more: String = "") -> Script.Line {
    .answer(200, #"{"from":"\#(from)","to":"\#(to)","patch":[\#(patch)]\#(more)}"#)
  }

  @Test func `opens with a token, and holds the state`() async throws {
    let script = Script([Self.opened])
    let session = try await session(script)
    #expect(session.state["n"] == .integer(1))
    let request = try #require(await script.requests.first)
    #expect(request.httpBody == Data(#"{"auth":"bearer"}"#.utf8))
    #expect(request.url?.path == "/sessions/m")
  }

  @Test func `applies patches of every operation`() async throws {
    let patch = #"""
      {"op":"replace","path":"/n","value":2},{"op":"add","path":"/rows/items/b","value":{}},
      {"op":"add","path":"/rows/order/0","value":"b"},{"op":"move","from":"/rows/order/0","path":"/rows/order/1"},
      {"op":"replace","path":"/rows/items/a/x~1~0","value":null},{"op":"remove","path":"/rows/items/b"},
      {"op":"remove","path":"/rows/order/1"}
      """#
    let session = try await session(Script([Self.opened, Self.frame("e.1", "e.2", patch, #","result":7"#)]))
    #expect(try await session.change("POST", "/actions/add") == .integer(7))
    let expected = #"{"n":2,"rows":{"order":["a"],"items":{"a":{"x/~":null}}}}"#
    #expect(try session.state == JSONDecoder().decode(JSON.self, from: Data(expected.utf8)))
    #expect(session.version == "e.2")
  }

  @Test func `sends a change again with the same number until it has an answer, and the next one with the next`()
    async throws
  {
    let script = Script([
      Self.opened, .lost, .answer(429, "{}", retryAfter: "3"), Self.frame("e.1", "e.2", ""),
      Self.frame("e.2", "e.3", ""),
    ])
    let session = try await session(script)
    try await session.change("POST", "/actions/add")
    try await session.change("PUT", "/state/n", .integer(1))
    let keys = await script.keys.compactMap(\.self)
    #expect(keys.map { $0.suffix(2) } == ["/1", "/1", "/1", "/2"])
    #expect(waits.all == [.seconds(1), .seconds(3)])
  }

  @Test func `sends again what a proxy got no answer to, and throws what it refuses with a page`() async throws {
    let script = Script([
      Self.opened, .answer(502, "<html>"), .answer(200, "<html>"), .answer(504, #"{"type":"/problems/overloaded"}"#),
      Self.frame("e.1", "e.2", ""), .answer(403, "<html>"),
    ])
    let session = try await session(script)
    try await session.change("POST", "/actions/add")
    #expect(await script.keys.compactMap { $0?.split(separator: "/").last } == ["1", "1", "1", "1"])
    #expect(waits.all == [.seconds(1), .seconds(2), .seconds(4)])
    await #expect(throws: RemoteProblem.self) { try await session.change("POST", "/actions/add") }
  }

  @Test func `uses up the number of a refusal that is a decision, or says that it is another request's`() async throws {
    let script = Script([
      Self.opened, .answer(409, #"{"type":"/problems/action-disabled","detail":"no"}"#),
      .answer(422, #"{"type":"/problems/key-reused"}"#), .answer(413, #"{"type":"/problems/body-too-large"}"#),
      Self.frame("e.1", "e.2", ""),
    ])
    let session = try await session(script)
    for kind in ["action-disabled", "key-reused", "body-too-large"] {
      let problem = await #expect(throws: RemoteProblem.self) { try await session.change("POST", "/actions/add") }
      #expect(problem?.kind == kind)
    }
    try await session.change("POST", "/actions/add")
    let keys = await script.keys.compactMap(\.self)
    #expect(keys.map { $0.suffix(2) } == ["/1", "/2", "/3", "/3"])
  }

  @Test func `goes on with the number that the server expects`() async throws {
    let script = Script([
      Self.opened, .answer(409, #"{"type":"/problems/out-of-order","expected":5}"#), Self.frame("e.1", "e.2", ""),
    ])
    try await session(script).change("POST", "/actions/add")
    #expect(await script.keys.last??.hasSuffix("/5") == true)
  }

  @Test func `drops what does not fit, and asks again before a change counts as seen`() async throws {
    let script = Script([
      Self.opened, Self.frame("e.7", "e.8", #"{"op":"replace","path":"/n","value":8}"#),
      .answer(200, #"{"from":"e.1","to":"e.8","state":{"n":9}}"#),
    ])
    let session = try await session(script)
    try await session.change("POST", "/actions/add")
    #expect(session.state == .object(["n": .integer(9)]))
    #expect(await script.targets.last == "/sessions/m/i/changes?since=e.1")
  }

  @Test func `takes the state of another epoch, and no version twice`() async throws {
    let script = Script([
      Self.opened, .answer(200, #"{"from":null,"to":"f.1","state":{"n":2}}"#),
      .answer(200, #"{"from":null,"to":"f.1","state":{"n":3}}"#),
    ])
    let session = try await session(script)
    try await session.next()
    #expect(session.version == "f.1")
    try await session.next()
    #expect(session.state == .object(["n": .integer(2)]))
  }

  @Test func `drops the answer to a request of an epoch that it has left`() async throws {
    let others = Script([Self.opened, .answer(200, #"{"from":null,"to":"f.1","state":{"n":2}}"#)])
    let late = Script([.answer(200, #"{"from":"e.1","to":"e.2","state":{"n":1}}"#)])
    let (sent, isSent) = AsyncStream.makeStream(of: Void.self)
    let (permission, mayAnswer) = AsyncStream.makeStream(of: Void.self)
    let url = try #require(URL(string: "http://127.0.0.1:1"))
    let session = try await RemoteSession(opening: "m", at: url) { request in
      guard request.url?.path.contains("/actions/") == true else { return try await others.answer(request) }
      isSent.yield()
      for await _ in permission { break }
      return try await late.answer(request)
    } pause: { _ in
    }
    async let change = session.change("POST", "/actions/add")
    for await _ in sent { break }
    try await session.next()
    mayAnswer.yield()
    _ = try await change
    #expect(session.version == "f.1")
    #expect(session.state == .object(["n": .integer(2)]))
  }

  @Test func `knows that a request was done whose answer is no longer known`() async throws {
    let script = Script([
      Self.opened, .answer(200, #"{"replayed":true,"version":"e.2"}"#), Self.frame("e.1", "e.2", ""),
    ])
    let session = try await session(script)
    #expect(try await session.change("POST", "/actions/add") == .null)
    #expect(session.version == "e.2")
  }

  @Test func `sends changes one after the other, in their order`() async throws {
    let script = Script([Self.opened, Self.frame("e.1", "e.2", ""), Self.frame("e.2", "e.3", "")])
    let session = try await session(script)
    async let first = session.change("PUT", "/state/n", .integer(1))
    async let second = session.change("PUT", "/state/n", .integer(2))
    _ = try await (first, second)
    #expect(await script.keys.compactMap(\.self).map { $0.suffix(2) } == ["/1", "/2"])
  }

  @Test func `keeps the new key that a sign-in brings`() async throws {
    let script = Script([Self.opened, Self.frame("e.1", "e.2", "", #","token":"u""#), .answer(204, "")])
    let session = try await session(script)
    try await session.change("POST", "/actions/signIn")
    try await session.next()
    #expect(
      await script.requests.map { $0.value(forHTTPHeaderField: "Authorization") } == [nil, "Bearer t", "Bearer u"])
  }

  @Test func `writes a value only if it was not changed since a version`() async throws {
    let refusal = Script.Line.answer(412, #"{"type":"/problems/value-changed","value":"Bob's"}"#)
    let script = Script([Self.opened, refusal, Self.frame("e.1", "e.2", "")])
    let session = try await session(script)
    await #expect(throws: RemoteProblem.self) {
      try await session.change("PUT", "/state/title", .string("Anna's"), since: "e.1")
    }
    try await session.change("PUT", "/state/title", .string("Anna's"))
    let conditions = await script.requests.map { $0.value(forHTTPHeaderField: "If-Match") }
    #expect(conditions == [nil, "\"e.1\"", nil])
    #expect(await script.keys.compactMap { $0?.last } == ["1", "2"])
  }
}
