// SPDX-License-Identifier: MIT
import Euripus
import EuripusTesting
import Locking
import Testing

@testable import EuripusServer

@Suite(.timeLimit(.minutes(30))) struct `A request to another server` {
  @Test func `is not read on after a piece that is not taken, and gives each byte once`() async throws {
    let body = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 / 251) }
    let server = try TestServer(routes: [.get("/long") { _ in .bytes(body, type: "text/plain") }])
    let client = NodeClient()
    defer { client.stop() }
    let request = NodeClient.Request(
      method: "GET", url: "http://127.0.0.1:\(server.port)/long", fields: [], body: [], mayBeRepeated: true, boot: 1)
    // The events; `nil` for a piece that is not taken. Each piece is taken when it comes again.
    let (events, told) = AsyncStream<NodeClient.Event?>.makeStream()
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
}
