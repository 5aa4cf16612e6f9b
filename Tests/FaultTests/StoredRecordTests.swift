// SPDX-License-Identifier: MIT
import Euripus
import EuripusTesting
import Foundation
import JSONPatching
import Testing

/// A ledger as a later version of the program has it.
private final class LaterLedger: ViewModel {
  let list = Observable<[String]>([], name: "list")

  static let surface = Surface<LaterLedger>(
    "ledger",
    migrations: [
      { state in
        state["list"] = state["entries"]
        state["entries"] = nil
      }
    ],
    .twoWay("list", \.list))
}

/// A ledger of another program, which calls another thing by the same name.
private final class OtherLedger: ViewModel {
  let entries = Observable(1, name: "entries")

  static let surface = Surface<OtherLedger>("ledger", .twoWay("entries", \.entries))
}

/// A server finds a record in its store that it cannot use. It refuses this one session, and serves all others.
@Suite(.timeLimit(.minutes(60))) struct `A stored session` {
  private static let row = HostedModelType.hosting { Ledger.Row("") }
  private let disk: FailingDisk
  init() throws { disk = try FailingDisk("faulty-never") }

  /// Expects that one session was put aside as it was, and that the one line of the log about it has these words.
  private func expectPutAside(_ url: String, _ record: [[UInt8]], _ server: TestServer, _ words: String...) throws {
    let told = server.log.filter { $0.contains("a stored session was put aside") }
    #expect(told.count == 1 && words.allSatisfy { told[0].contains($0) }, "\(server.log)")
    #expect(try disk.record(of: url, in: "euripus_set_aside") == record)
    #expect(try disk.record(of: url) == [])
  }

  @Test func `stored by a later program is refused by 503 and left as it is, while others go on`() async throws {
    let later = try disk.server([.hosting { LaterLedger() }, Self.row])
    let owner = try later.client()
    let newer = try await owner.open("ledger")
    let row = try await owner.open("row")
    #expect(try await owner.request("PUT", "\(newer)/state/list", #"["7"]"#).status == 200)
    later.stop()
    let before = try disk.record(of: newer)
    #expect(before.count == 8)

    let server = try disk.server([.hosting { Ledger() }, Self.row])
    let client = try server.client()
    client.goOn(with: owner.cookie)
    for (method, path) in [("GET", newer), ("POST", "\(newer)/actions/append"), ("DELETE", newer), ("GET", newer)] {
      let refused = try await client.request(method, path, method == "POST" ? #""1""# : nil)
      #expect(refused.status == 503 && refused.isOfStore, "\(refused.text)")
      #expect(refused.text.contains("the session was stored by a later version of the program"))
      let id = try #require(refused.json?["id"]?.text, "\(refused.text)")
      #expect(server.log.contains { $0.contains("id=\(id)") && $0.contains("as schema 2; this one knows 1") })
    }
    #expect(try await client.request("PUT", "\(row)/state/text", #""x""#).status == 200)
    #expect(try await client.open("ledger") != newer)
    server.stop()
    #expect(try disk.record(of: newer) == before)

    let again = try disk.server([.hosting { LaterLedger() }, Self.row])
    let back = try again.client()
    back.goOn(with: owner.cookie)
    #expect(try await back.request("GET", newer).json?["state"]?["list"] == ["7"])
  }

  @Test func `that cannot be read is put aside as it is, is gone for its client, and is in the log`() async throws {
    let first = try disk.server()
    let (bad, good) = (try await LedgerClient(first), try await LedgerClient(first))
    #expect(try await bad.client.request("PUT", "\(bad.url)/state/note", #""canary-of-one""#).status == 200)
    #expect(try await good.enter(1).status == 200)
    first.stop()
    let file = URL(fileURLWithPath: disk.path)
    var bytes = try Data(contentsOf: file)
    let canary = try #require(bytes.firstRange(of: Data("canary-of-one".utf8)))
    bytes[canary.lowerBound] ^= 1
    try bytes.write(to: file)
    let before = try disk.record(of: bad.url)

    let server = try disk.server()
    let (again, other) = (try LedgerClient(bad, at: server), try LedgerClient(good, at: server))
    for _ in 0..<2 {
      let answer = try await again.client.request("GET", bad.url)
      #expect(answer.status == 404 && answer.problem == "no-session", "\(answer.text)")
    }
    #expect(try await other.entries() == [1])
    #expect(try await other.enter(2).status == 200)
    // The client opens another session as usual.
    #expect(try await again.client.open("ledger") != bad.url)
    server.stop()
    #expect(!server.log.contains { $0.contains("canary") })
    try expectPutAside(
      bad.url, before, server, "its checksum is that of something else", disk.path, "euripus_set_aside")
  }

  @Test func `that does not fit its view model is put aside, and is in the log with its model`() async throws {
    let first = try disk.server()
    let client = try await LedgerClient(first)
    #expect(try await client.enter(1).status == 200)
    first.stop()
    let before = try disk.record(of: client.url)
    let server = try disk.server([.hosting { OtherLedger() }])
    let again = try LedgerClient(client, at: server)
    #expect(try await again.client.request("GET", client.url).status == 404)
    server.stop()
    try expectPutAside(client.url, before, server, "ledger", "/entries")
  }
}
