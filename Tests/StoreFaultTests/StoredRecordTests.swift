// SPDX-License-Identifier: MIT
import Euripus
import EuripusTesting
import Foundation
import JSONPatching
import Testing

@testable import SQLiteSessions

/// A tally as a later version of the program has it.
private final class LaterTally: ViewModel {
  let list = Observable<[Int]>([], name: "list")

  static let surface = Surface<LaterTally>(
    "tally",
    migrations: [
      { state in
        state["list"] = state["entries"]
        state["entries"] = nil
      }
    ],
    .twoWay("list", \.list))
}

/// A tally of another program, which calls another thing by the same name.
private final class OtherTally: ViewModel {
  let entries = Observable("", name: "entries")

  static let surface = Surface<OtherTally>("tally", .twoWay("entries", \.entries))
}

/// A view model that all versions of the program have in the same way.
private final class Plain: ViewModel {
  let text = Observable("", name: "text")

  static let surface = Surface<Plain>("plain", .twoWay("text", \.text))
}

/// A server finds a record in its store that it cannot use. It refuses this one session, and serves all others.
@Suite(.timeLimit(.minutes(5))) struct `A stored session` {
  private let place: TallyPlace
  init() throws { place = try TallyPlace() }

  /// The store's record of a session, byte for byte, without the columns of its claim.
  private func record(of url: String, in table: String = "sessions") throws -> [[UInt8]] {
    let database = try SQLiteDatabase(path: place.path, vfs: nil, makes: false)
    let id = url.split(separator: "/").last ?? ""
    let statement = try database.prepare(
      "SELECT state, keys, owner, model, schema, revision, used, checksum FROM \(table) WHERE id = ?1")
    let rows = try statement.rows(.text(String(id))) { row in (0..<8).map { row.blob($0) } }
    #expect(rows.count <= 1)
    return rows.first ?? []
  }

  @Test func `of a later program is refused by 503 and left as it is, while others go on`() async throws {
    let later = try place.server([.hosting { LaterTally() }, .hosting { Plain() }])
    let owner = try later.client()
    let newer = try await owner.open("tally")
    let plain = try await owner.open("plain")
    #expect(try await owner.request("PUT", "\(newer)/state/list", "[7]").status == 200)
    later.stop()
    let before = try record(of: newer)
    #expect(before.count == 8)

    let server = try place.server([.hosting { Tally() }, .hosting { Plain() }])
    let client = try server.client()
    client.goOn(with: owner.cookie)
    for (method, path) in [("GET", newer), ("POST", "\(newer)/actions/add"), ("DELETE", newer), ("GET", newer)] {
      let refused = try await client.request(method, path, method == "POST" ? "1" : nil)
      #expect(refused.status == 503 && refused.isOfStore, "\(refused.text)")
      #expect(refused.text.contains("the session was stored by a later version of the program"))
      guard case .string(let id)? = refused.json?["id"] else {
        Issue.record("no id in \(refused.text)")
        continue
      }
      #expect(server.log.contains { $0.contains("id=\(id)") && $0.contains("as schema 2; this one knows 1") })
    }
    #expect(try await client.request("PUT", "\(plain)/state/text", #""x""#).status == 200)
    #expect(try await client.open("tally") != newer)
    server.stop()
    #expect(try record(of: newer) == before)

    let again = try place.server([.hosting { LaterTally() }, .hosting { Plain() }])
    let back = try again.client()
    back.goOn(with: owner.cookie)
    #expect(try await back.request("GET", newer).json?["state"]?["list"] == [7])
  }

  @Test func `that cannot be read is put aside as it is, is gone for its client, and is in the log`() async throws {
    let first = try place.server()
    let (bad, good) = (try await TallyClient(first), try await TallyClient(first))
    #expect(try await bad.client.request("PUT", "\(bad.url)/state/filler", #""canary-of-one""#).status == 200)
    #expect(try await good.add(1).status == 200)
    first.stop()
    var bytes = try place.bytes
    let canary = Array("canary-of-one".utf8)
    let at = try #require(bytes.indices.first { bytes[$0...].starts(with: canary) })
    bytes[at] ^= 1
    try place.write(bytes)
    let before = try record(of: bad.url)

    let server = try place.server()
    let (again, other) = (try TallyClient(bad, at: server), try TallyClient(good, at: server))
    for _ in 0..<2 {
      let answer = try await again.client.request("GET", bad.url)
      #expect(answer.status == 404 && answer.json?["type"] == "/problems/no-session", "\(answer.text)")
    }
    #expect(try await other.entries() == [1])
    #expect(try await other.add(2).status == 200)
    // The client opens another session as usual.
    #expect(try await again.client.open("tally") != bad.url)
    let told = server.log.filter { $0.contains("a stored session was put aside") }
    #expect(told.count == 1 && told[0].contains("its checksum is that of something else"), "\(server.log)")
    #expect(told.allSatisfy { $0.contains(place.path) && $0.contains("set_aside") && !$0.contains("canary") })
    server.stop()
    #expect(try record(of: bad.url, in: "set_aside") == before)
    #expect(try record(of: bad.url) == [])
  }

  @Test func `that this program cannot make anything of is put aside, and is in the log with its model`() async throws {
    let first = try place.server()
    let client = try await TallyClient(first)
    #expect(try await client.add(1).status == 200)
    first.stop()
    let before = try record(of: client.url)
    let server = try place.server([.hosting { OtherTally() }])
    let again = try TallyClient(client, at: server)
    #expect(try await again.client.request("GET", client.url).status == 404)
    server.stop()
    let told = server.log.filter { $0.contains("a stored session was put aside") }
    #expect(told.count == 1 && told[0].contains("tally") && told[0].contains("/entries"), "\(server.log)")
    #expect(try record(of: client.url, in: "set_aside") == before)
  }
}
