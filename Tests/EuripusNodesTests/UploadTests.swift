// SPDX-License-Identifier: MIT
import Euripus
import EuripusNodes
import EuripusTesting
import JSONPatching
import Testing

private final class Shelf: ViewModel {
  let papers: Uploads
  @Observed var lengths: [Int] = []
  @Observed var copy: FileOffer?
  private let context: SessionContext

  init(_ context: SessionContext) {
    self.context = context
    papers = Uploads(context, most: 3, each: .megabytes(10))
  }

  func read() throws { lengths = try papers.ready.map { try $0.read().count } }

  func lend(_ count: Int) throws {
    copy = try context.offer(Array(repeating: 7, count: count), named: "copy.bin", isOnce: count == 1)
  }

  static let surface = Surface<Shelf>(
    "shelf", .uploads("papers", \.papers), .value("lengths", \.$lengths), .value("copy", \.$copy),
    .action("read", Shelf.read), .action("lend", Shelf.lend))
}

@Suite(.timeLimit(.minutes(30))) struct `A file that is sent to another server than that of its session` {
  private let schema: TestSchema

  init() throws { schema = try TestSchema() }

  @Test func `reaches it, whole and in parts, and comes back from it`() async throws {
    let models: [HostedModelType] = [.hosting { Shelf($0) }]
    let (first, second) = (try schema.server(models), try schema.server(models))
    let (owner, other) = (try first.client(), try second.client())
    let shelf = try await owner.open("shelf")
    other.goOn(with: owner.cookie)
    let type = [("Content-Type", "text/plain")]
    // Longer than what is passed on at once, and no multiple of it.
    let long = String(repeating: "0123456789", count: 320_001)
    let sent = try await other.request("PUT", "\(shelf)/uploads/papers/long", long, fields: type)
    #expect((sent.status, sent["Upload-Complete"], sent["Upload-Offset"]) == (201, "?1", "3200010"), "\(sent.text)")
    let posted = try await other.request(
      "POST", "\(shelf)/uploads/papers", long, fields: type + [("Idempotency-Key", "posted")])
    #expect((posted.status, posted["Location"]) == (201, "\(shelf)/uploads/papers/posted"), "\(posted.text)")
    let begun = try await other.request(
      "PUT", "\(shelf)/uploads/papers/short", "abc",
      fields: type + [("Upload-Complete", "?0"), ("Upload-Length", "6")])
    #expect((begun.status, begun["Upload-Offset"]) == (201, "3"), "\(begun.text)")
    let head = try await other.request("HEAD", "\(shelf)/uploads/papers/short")
    #expect((head.status, head["Upload-Offset"], head["Upload-Complete"]) == (204, "3", "?0"))
    let rest = try await other.request(
      "PATCH", "\(shelf)/uploads/papers/short", "def",
      fields: [
        ("Content-Type", "application/partial-upload"), ("Upload-Offset", "3"), ("Upload-Complete", "?1"),
      ])
    #expect((rest.status, rest["Upload-Complete"]) == (204, "?1"), "\(rest.text)")
    #expect(try await owner.request("GET", "\(shelf)/uploads/papers/long").text == long)
    #expect(try await owner.request("GET", "\(shelf)/uploads/papers/short").text == "abcdef")
    #expect(try await other.request("POST", "\(shelf)/actions/read").status == 200)
    #expect(try await owner.request("GET", shelf).json?["state"]?["lengths"] == [3_200_010, 3_200_010, 6])
    #expect(try await other.request("DELETE", "\(shelf)/uploads/papers/short").status == 204)
  }

  @Test func `is refused there in its words`() async throws {
    let models: [HostedModelType] = [.hosting { Shelf($0) }]
    let (first, second) = (try schema.server(models), try schema.server(models))
    let (owner, other) = (try first.client(), try second.client())
    let shelf = try await owner.open("shelf")
    other.goOn(with: owner.cookie)
    let refused = try await other.request(
      "PUT", "\(shelf)/uploads/papers/long", "",
      fields: [("Content-Type", "text/plain"), ("Upload-Complete", "?0"), ("Upload-Length", "10000001")])
    #expect(refused.problem == "body-too-large", "\(refused.text)")
    #expect(try await other.request("HEAD", "\(shelf)/uploads/papers/long").status == 404)
  }
}

@Suite(.timeLimit(.minutes(30))) struct `A file that a session at another server offers` {
  private let schema: TestSchema

  init() throws { schema = try TestSchema() }

  @Test func `is given whole, in parts, to its own clients, and once where that is said`() async throws {
    let models: [HostedModelType] = [.hosting { Shelf($0) }]
    let (first, second) = (try schema.server(models), try schema.server(models))
    let (owner, other, stranger) = (try first.client(), try second.client(), try second.client())
    let shelf = try await owner.open("shelf")
    other.goOn(with: owner.cookie)
    _ = try await stranger.open("shelf")
    func lent(_ count: Int) async throws -> String {
      #expect(try await other.request("POST", "\(shelf)/actions/lend", "\(count)").status == 200)
      guard case .string(let url)? = try await other.request("GET", shelf).json?["state"]?["copy"]?["url"] else {
        return ""
      }
      return url
    }
    let long = try await lent(3_000_001)
    let whole = try await other.request("GET", long)
    #expect((whole.status, whole.body.count) == (200, 3_000_001))
    #expect(whole["Content-Disposition"] == #"attachment; filename="copy.bin""#)
    let part = try await other.request("GET", long, fields: [("Range", "bytes=3000000-")])
    #expect((part.status, part.body, part["Content-Range"]) == (206, [7], "bytes 3000000-3000000/3000001"))
    let tag = try #require(whole["ETag"])
    #expect(try await other.request("GET", long, fields: [("If-None-Match", tag)]).status == 304)
    #expect(try await other.request("HEAD", long)["ETag"] == tag)
    #expect(try await stranger.request("GET", long).problem == "no-session")
    let once = try await lent(1)
    #expect(try await other.request("GET", once).body == [7])
    #expect(try await owner.request("GET", once).problem == "no-download")
  }
}
