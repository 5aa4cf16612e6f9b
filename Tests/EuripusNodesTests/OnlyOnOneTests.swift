// SPDX-License-Identifier: MIT
import Euripus
import EuripusNodes
import EuripusTesting
import Testing

/// A view model that nobody opens.
private final class Empty: ViewModel {
  static let surface = Surface<Empty>("empty")
}

/// Work that one of several servers does.
@Suite(.timeLimit(.minutes(30))) struct `Work that only one server does` {
  @Test func `goes over to another one when that one has stopped`() async throws {
    let schema = try TestSchema()
    let servers = try (0..<2).map { _ in try schema.server([.hosting { Empty() }]) }
    let (beginnings, beginning) = AsyncStream.makeStream(of: Int.self)
    for (index, server) in servers.enumerated() {
      server.server.background("work", onlyOnOne: true) {
        beginning.yield(index)
        try await Task.sleep(for: .seconds(3_600))
      }
    }
    var iterator = beginnings.makeAsyncIterator()
    let first = try #require(await iterator.next())
    servers[first].stop()
    #expect(await iterator.next() == 1 - first)
  }

  @Test func `is ended where its lock is lost, and begins once more`() async throws {
    let schema = try TestSchema()
    let server = try schema.server([.hosting { Empty() }])
    let (events, event) = AsyncStream.makeStream(of: String.self)
    server.server.background("work", onlyOnOne: true) {
      event.yield("begun")
      do { try await Task.sleep(for: .seconds(3_600)) } catch {
        event.yield("ended")
        throw error
      }
    }
    var iterator = events.makeAsyncIterator()
    #expect(await iterator.next() == "begun")
    try schema.cut()
    #expect(await iterator.next() == "ended")
    #expect(await iterator.next() == "begun")
  }
}
