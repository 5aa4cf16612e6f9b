// SPDX-License-Identifier: MIT
import Euripus
import EuripusNodes
import EuripusTesting
import Foundation
import JSONPatching
import Testing

private final class Crate: ViewModel {
  let papers: Uploads
  init(_ context: SessionContext) { papers = Uploads(context, most: 5, each: .megabytes(1)) }
  static let surface = Surface<Crate>("crate", .uploads("papers", \.papers))
}

/// A file that is passed on in parts (PROTOCOL §10) is taken, and refused, as by the server that has its session.
@Suite(.timeLimit(.minutes(30))) struct `A long file that is sent to another server than that of its session` {
  private let owner: TestClient
  private let other: TestClient
  private let crate: String
  private let long = String(repeating: "0123456789", count: 30_000)
  private static let type = [("Content-Type", "text/plain")]

  init() throws {
    let schema = try TestSchema()
    let models: [HostedModelType] = [.hosting { Crate($0) }]
    (owner, other) = (try schema.server(models).client(), try schema.server(models).client())
    crate = try owner.open("crate")
    other.goOn(with: owner.cookie)
  }

  private func send(_ method: String, _ key: String, _ fields: [(String, String)]) async throws -> TestClient.Response {
    try await other.request(method, "\(crate)/uploads/papers/\(key)", long, fields: fields)
  }

  @Test func `has no length where its beginning comes alone`() async throws {
    let begun = try await send("PUT", "a", Self.type + [("Upload-Complete", "?0")])
    #expect((begun.status, begun["Upload-Offset"], begun["Upload-Complete"]) == (201, "300000", "?0"), "\(begun.text)")
    #expect(begun["Upload-Length"] == nil)
    let part = [("Content-Type", "application/partial-upload"), ("Upload-Complete", "?1")]
    let rest = try await send("PATCH", "a", part + [("Upload-Offset", "300000")])
    #expect((rest.status, rest["Upload-Offset"], rest["Upload-Complete"]) == (204, "600000", "?1"), "\(rest.text)")
  }

  @Test(arguments: [
    ("PATCH", []), ("PATCH", [("Upload-Offset", "3")]), ("PATCH", [("Upload-Complete", "?1")]),
    ("PATCH", [("Upload-Offset", "3"), ("Upload-Complete", "maybe")]),
    ("PATCH", [("Upload-Offset", "3.0"), ("Upload-Complete", "?1")]), ("PUT", [("Upload-Complete", "maybe")]),
    ("PUT", [("Upload-Length", "-1")]), ("PUT", [("Content-Digest", "sha-256=abc")]),
  ])
  func `is refused for a faulty field`(method: String, fields: [(String, String)]) async throws {
    let begun = try await other.request(
      "PUT", "\(crate)/uploads/papers/a", "abc", fields: Self.type + [("Upload-Complete", "?0")])
    #expect(begun.status == 201)
    let type = method == "PATCH" ? [("Content-Type", "application/partial-upload")] : Self.type
    let refused = try await send(method, "a", type + fields)
    #expect((refused.status, refused.problem) == (400, "bad-request"), "\(refused.text)")
    let head = try await owner.request("HEAD", "\(crate)/uploads/papers/a")
    #expect((head["Upload-Offset"], head["Upload-Complete"]) == ("3", "?0"))
  }

  @Test func `is found where its request with a key comes again`() async throws {
    let fields = Self.type + [("Idempotency-Key", "a")]
    for _ in 0..<2 {
      let sent = try await other.request("POST", "\(crate)/uploads/papers", long, fields: fields)
      #expect((sent.status, sent["Upload-Offset"], sent["Upload-Complete"]) == (201, "300000", "?1"), "\(sent.text)")
      #expect(sent["Location"] == "\(crate)/uploads/papers/a")
    }
  }

  /// The SHA-256 of the file, by sha256sum(1), and that of "abc" (FIPS 180-4, example B.1).
  private static let digest = "sha-256=:kcME5NrtFtGsB0hnw6e2sl8RNoSCK7nLXbJTXPayHIw=:"
  private static let ofAnother = "sha-256=:ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=:"

  @Test(arguments: ["?0", "?1"])
  func `is taken where its Content-Digest holds, and else nothing of it is kept`(complete: String) async throws {
    let fields = Self.type + [("Upload-Complete", complete)]
    let damaged = try await send("PUT", "a", fields + [("Content-Digest", Self.ofAnother)])
    #expect((damaged.status, damaged.problem) == (400, "upload-contradiction"), "\(damaged.text)")
    let head = try await owner.request("HEAD", "\(crate)/uploads/papers/a")
    #expect((head["Upload-Offset"], head["Upload-Complete"]) == ("0", "?0"))
    let sent = try await send("PUT", "a", fields + [("Content-Digest", Self.digest)])
    #expect((sent.status, sent["Upload-Offset"], sent["Upload-Complete"]) == (201, "300000", complete), "\(sent.text)")
  }

  @Test func `keeps what came before a part whose Content-Digest does not hold`() async throws {
    let begun = try await other.request(
      "PUT", "\(crate)/uploads/papers/a", "abc", fields: Self.type + [("Upload-Complete", "?0")])
    #expect(begun.status == 201)
    let part = [("Content-Type", "application/partial-upload"), ("Upload-Offset", "3"), ("Upload-Complete", "?1")]
    let damaged = try await send("PATCH", "a", part + [("Content-Digest", Self.ofAnother)])
    #expect((damaged.status, damaged.problem) == (400, "upload-contradiction"), "\(damaged.text)")
    #expect(try await owner.request("HEAD", "\(crate)/uploads/papers/a")["Upload-Offset"] == "3")
    let sent = try await send("PATCH", "a", part + [("Content-Digest", Self.digest)])
    #expect((sent.status, sent["Upload-Offset"], sent["Upload-Complete"]) == (204, "300003", "?1"), "\(sent.text)")
  }
}
