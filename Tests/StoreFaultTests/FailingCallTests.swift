// SPDX-License-Identifier: MIT
import CFaultyFiles
import Euripus
import EuripusTesting
import JSONPatching
import SQLiteSessions
import Testing

/// A short run over HTTP in which the system refuses the n-th call of the store's files, for every n.
/// Acknowledged entries are there afterwards, once and in order. A client without the usual answer got a
/// problem of the protocol.
@Suite(.serialized, .timeLimit(.minutes(5))) struct `A server whose store's files fail` {
  private static let vfs = "faulty-server"
  private let files: OpaquePointer
  init() throws { files = try #require(faulty_files_named(Self.vfs)) }

  private func heal() { faulty_files_fail(files, 0, FAULTY_IO, 0) }

  /// Runs two servers, one after the other. The client sends each of them three numbers until it has
  /// acknowledged them.
  ///
  /// - Parameter heals: Whether the files are mended once a client was told of a failure.
  private func run(_ place: TallyPlace, heals: Bool = false, _ comment: Comment) async throws -> TallyClient? {
    var client: TallyClient?
    for numbers in [1...3, 4...6] {
      let server = try await started(place, comment)
      var isOpen = client != nil
      if let before = client { client = try TallyClient(before, at: server) }
      while !isOpen {
        let opener = try server.client()
        let response = try await opener.request("POST", "/sessions/tally")
        isOpen = response.status == 201
        if isOpen, case .string(let url)? = response.json?["url"] { client = TallyClient(opener, url) }
        if !isOpen { try await told(response, heals, nil, [], comment) }
      }
      guard let client else { return nil }
      for number in numbers {
        while case let response = try await client.add(number), response.status != 200 {
          // The store may have the beginning of a command without its end.
          try await told(response, heals, client, number % 3 == 0 ? [number - 1, number] : [number - 1], comment)
        }
      }
      server.stop()
    }
    return client
  }

  /// Starts a server. If it cannot start, its error has the file and the reason.
  private func started(_ place: TallyPlace, _ comment: Comment) async throws -> TestServer {
    for _ in 0..<8 {
      do { return try place.server(vfs: Self.vfs, durability: .acknowledged) } catch {
        #expect("\(error)".contains(place.path) && "\(error)".contains("SQLite says"), "\(comment): \(error)")
      }
    }
    heal()
    return try place.server(vfs: Self.vfs, durability: .acknowledged)
  }

  /// Checks an answer that was not the usual one.
  ///
  /// - Parameter counts: The possible counts of numbers in the tally.
  private func told(
    _ response: TestClient.Response, _ heals: Bool, _ client: TallyClient?, _ counts: [Int], _ comment: Comment
  ) async throws {
    try #require(response.isOfStore, "\(comment): \(response.status) \(response.text)")
    // Only acknowledged entries can be read meanwhile.
    if let entries = try await client?.entries() {
      #expect(counts.contains { entries == .numbers((0..<$0).map { $0 + 1 }) }, "\(comment): \(entries)")
    }
    if heals { heal() }
  }

  private func callsOfWholeRun() async throws -> Int {
    heal()
    let client = try await run(TallyPlace(), "without faults")
    #expect(client != nil)
    return faulty_files_calls(files)
  }

  @Test(arguments: [(FAULTY_IO, 1), (FAULTY_FULL, Int.max)])
  func `loses, doubles and half applies nothing, whichever call fails`(_ kind: faulty_kind, _ count: Int) async throws {
    let calls = try await callsOfWholeRun()
    #expect(calls > 50)
    var failed = 0
    for nth in 1...calls {
      let comment: Comment = "\(kind) \(count) times from call \(nth) of \(calls)"
      let place = try TallyPlace()
      faulty_files_fail(files, nth, kind, count)
      let client = try await run(place, heals: count == .max, comment)
      if faulty_files_failures(files) > 0 || count == .max { failed += 1 }
      heal()
      #expect(try place.entries(of: #require(client).url) == .numbers(1...6), comment)
      #expect(try place.look { try $0.check() } == [], comment)
    }
    #expect(failed > calls / 2)
  }
}
