// SPDX-License-Identifier: MIT
import CFaultyFiles
import Euripus
import EuripusTesting
import JSONPatching
import Sessions
import Testing

/// A short run over HTTP in which the system refuses the n-th call of the store's files, for every n.
/// Acknowledged entries are there afterwards, once and in order. A client without the usual answer got a
/// problem of the protocol.
@Suite(.timeLimit(.minutes(60))) struct `A server with a store on failing files` {
  /// Runs two servers, one after the other. The client sends each of them three numbers until it has
  /// acknowledged them.
  ///
  /// - Parameter heals: Whether the files are mended once a client was told of a failure.
  /// - Returns: the calls of the files, and those that failed, up to the time when they were mended.
  private func run(_ disk: FailingDisk, heals: Bool = false, _ comment: Comment) async throws -> (Int, failed: Int) {
    var client: LedgerClient?
    for numbers in [1...3, 4...6] {
      let server = try started(disk, comment)
      if let before = client { client = try LedgerClient(before, at: server) }
      while client == nil {
        let opener = try server.client()
        let response = try await opener.request("POST", "/sessions/ledger")
        if let url = response.json?["url"]?.text { client = LedgerClient(opener, url) }
        if client == nil { try await told(response, nil, [], comment) }
        if client == nil, heals { disk.heal() }
      }
      for number in numbers {
        while let client, case let response = try await client.enter(number), response.status != 200 {
          // The store may have the beginning of a command without its end.
          try await told(response, client, number % 3 == 0 ? [number - 1, number] : [number - 1], comment)
          if heals { disk.heal() }
        }
      }
      server.stop()
    }
    let counts = (disk.calls, disk.failures)
    disk.heal()
    let state = try JSONReader.read(disk.record(of: #require(client).url)[0])
    #expect(state["entries"] == .array((1...6).map { .string("\($0)") }), comment)
    #expect(try disk.look { try $0.check() } == [], comment)
    return counts
  }

  /// Starts a server. If it cannot start, its error has the file and the reason.
  private func started(_ disk: FailingDisk, _ comment: Comment) throws -> TestServer {
    for _ in 0..<8 {
      do { return try disk.server(durability: .acknowledged) } catch {
        #expect("\(error)".contains(disk.path) && "\(error)".contains("SQLite says"), "\(comment): \(error)")
      }
    }
    disk.heal()
    return try disk.server(durability: .acknowledged)
  }

  /// Checks an answer that was not the usual one.
  ///
  /// - Parameter counts: The possible counts of numbers in the ledger.
  private func told(_ response: TestClient.Response, _ client: LedgerClient?, _ counts: [Int], _ comment: Comment)
    async throws
  {
    try #require(response.isOfStore, "\(comment): \(response.status) \(response.text)")
    // Only acknowledged entries can be read meanwhile.
    guard let entries = try await client?.entries() else { return }
    #expect(counts.contains { entries == (0..<$0).map { $0 + 1 } }, "\(comment): \(entries)")
  }

  @Test(arguments: [(FAULTY_IO, 1), (FAULTY_FULL, Int.max)])
  func `loses, doubles and half applies nothing, whichever call fails`(_ kind: faulty_kind, _ count: Int) async throws {
    let name = "faulty-server-\(count)"
    let (calls, _) = try await run(FailingDisk(name), "without faults")
    #expect(calls > 50)
    var failed = 0
    for nth in 1...calls {
      let disk = try FailingDisk(name)
      disk.fail(kind, nth: nth, count: count)
      let comment: Comment = "\(kind) \(count) times from call \(nth) of \(calls)"
      if try await run(disk, heals: count == .max, comment).failed > 0 || count == .max { failed += 1 }
    }
    #expect(failed > calls / 2)
  }
}
