// SPDX-License-Identifier: MIT
import Euripus
import EuripusNodes
import EuripusTesting
import Locking
import Storing
import Testing

@testable import EuripusServer
@testable import HTTPListening

@Suite(.timeLimit(.minutes(30))) struct `A request to another server` {
  @Test func `is not read on after a piece that is not taken, and gives each byte once`() async throws {
    let body = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 / 251) }
    let server = try TestServer(routes: [.get("/long") { _ in .bytes(body, type: "text/plain") }])
    let client = CurlClient()
    defer { client.stop() }
    let request = NodeRequest(
      method: "GET", url: "http://127.0.0.1:\(server.port)/long", fields: [], body: [], mayBeRepeated: true, boot: 1)
    // The events; `nil` for a piece that is not taken. Each piece is taken when it comes again.
    let (events, told) = AsyncStream<NodeEvent?>.makeStream()
    let takes = Locked(true)
    let id = client.send(
      request,
      takesPiece: {
        let isTaken = takes.withLock { takes in
          takes.toggle()
          return takes
        }
        if !isTaken { told.yield(nil) }
        return isTaken
      }, tell: { told.yield($0) })
    var (bytes, refusals) = ([UInt8](), 0)
    reading: for await event in events {
      switch event {
      case nil:
        refusals += 1
        client.goOn(id)
      case .head: break
      case .piece(let piece): bytes += piece
      case .end: break reading
      case .failed(let failure):
        Issue.record("it failed: \(failure)")
        break reading
      }
    }
    #expect(bytes == body)
    #expect(refusals > 1)
  }

  @Test func `for a stream holds no more of it than one piece that its reader has not taken`() async throws {
    let body = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 / 251) }
    let server = try TestServer(routes: [.get("/events") { _ in .bytes(body, type: "text/event-stream") }])
    let client = CurlClient()
    defer { client.stop() }
    let request = NodeRequest(
      method: "GET", url: "http://127.0.0.1:\(server.port)/events", fields: [], body: [], mayBeRepeated: true, boot: 1)
    let (outcomes, told) = AsyncStream<Passage.Outcome>.makeStream()
    let passage = Passage(client, request) { told.yield($0) }
    var iterator = outcomes.makeAsyncIterator()
    guard case .stream(_, let stream)? = await iterator.next() else { throw Unexpected() }
    var bytes: [UInt8] = []
    reading: while true {
      switch stream.fetch() {
      case .ask: stream.ask()
      case .wait: await Task.yield()
      case .write(let piece):
        // libcurl gives at most 16 KiB at a time (CURL_MAX_WRITE_SIZE). The last piece comes with the one before.
        #expect(piece.count <= 2 * 16_384)
        bytes += piece
      case .end, .breakOff: break reading
      }
    }
    #expect(bytes == body)
    withExtendedLifetime(passage) {}
  }

  @Test(arguments: [("text/event-stream", false), ("application/pdf", true)])
  func `for a file is broken off where the other server dies, so that a part is not taken for the whole`(
    type: String, isBrokenOff: Bool
  ) async throws {
    let client = DyingClient(type: type, isFile: isBrokenOff)
    let (outcomes, told) = AsyncStream<Passage.Outcome>.makeStream()
    let request = NodeRequest(method: "GET", url: "http://a/", fields: [], body: [], mayBeRepeated: true, boot: 1)
    let passage = Passage(client, request) { told.yield($0) }
    var iterator = outcomes.makeAsyncIterator()
    guard case .stream(_, let stream)? = await iterator.next() else { throw Unexpected() }
    var last = stream.fetch()
    while case .write = last { last = stream.fetch() }
    if case .breakOff = last { #expect(isBrokenOff) } else { #expect(!isBrokenOff, "\(last)") }
    #expect(stream.isOpenEnded != isBrokenOff)
    withExtendedLifetime(passage) {}
  }

  /// A way to another server that dies in the middle of its answer.
  private struct DyingClient: NodeClient {
    let type: String
    let isFile: Bool

    func send(
      _ request: NodeRequest, takesPiece: @escaping @Sendable () -> Bool,
      tell: @escaping @Sendable (NodeEvent) -> Void
    ) -> UInt64 {
      let disposition = isFile ? [("Content-Disposition", "attachment")] : []
      tell(.head(status: 200, fields: [("Content-Type", type)] + disposition))
      tell(.piece(Array("a part".utf8)))
      tell(.failed(.broken))
      return 1
    }

    func goOn(_ id: UInt64) {}
    func giveUp(_ id: UInt64) {}
    func giveUp(allTo boots: [UInt64]) {}
    func stop() {}
  }

  private struct Unexpected: Error {}
}
