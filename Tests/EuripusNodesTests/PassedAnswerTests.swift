// SPDX-License-Identifier: MIT
import Euripus
import EuripusNodes
import EuripusTesting
import JSONPatching
import Testing

/// A view model with a state longer than 1 KiB, and with a file.
private final class Scroll: ViewModel {
  @Observed var text = String(repeating: "a text ", count: 400)
  @Observed var copy: FileOffer?
  private let context: SessionContext

  init(_ context: SessionContext) { self.context = context }

  func lend() throws { copy = try context.offer(Array(repeating: 7, count: 5_000), named: "copy.bin") }

  static let surface = Surface<Scroll>(
    "scroll", .value("text", \.$text), .value("copy", \.$copy), .action("lend", Scroll.lend))
}

@Suite(.timeLimit(.minutes(30))) struct `An answer without a body that another server has given` {
  private let owner: TestClient
  private let other: TestClient

  init() throws {
    let schema = try TestSchema()
    let models: [HostedModelType] = [.hosting { Scroll($0) }]
    (owner, other) = (try schema.server(models).client(), try schema.server(models).client())
  }

  @Test func `says the length that the body would have`() async throws {
    let scroll = try await owner.open("scroll")
    other.goOn(with: owner.cookie)
    #expect(try await other.request("POST", "\(scroll)/actions/lend").status == 200)
    let state = try await other.request("GET", scroll)
    guard case .string(let file)? = state.json?["state"]?["copy"]?["url"] else {
      return #expect(Bool(false), "\(state.text)")
    }
    for path in ["", "/state/text", "/changes", "/none"].map({ scroll + $0 }) + [file] {
      let whole = try await other.request("GET", path)
      let head = try await other.request("HEAD", path)
      #expect((head.status, head["Content-Length"]) == (whole.status, "\(whole.body.count)"), "\(path)")
      #expect((head["ETag"], head["Content-Type"]) == (whole["ETag"], whole["Content-Type"]), "\(path)")
      guard let tag = whole["ETag"] else { continue }
      for method in ["GET", "HEAD"] {
        let known = try await other.request(method, path, fields: [("If-None-Match", tag)])
        let direct = try await owner.request(method, path, fields: [("If-None-Match", tag)])
        #expect((known.status, known["Content-Length"]) == (direct.status, direct["Content-Length"]), "\(path)")
      }
    }
    #expect(try await other.request("HEAD", "\(scroll)/uploads/none/a").status == 404)
  }

  @Test func `has no length where the body of the answer to GET would be compressed`() async throws {
    let opened = try await owner.request("POST", "/sessions/scroll", #"{"auth":"bearer"}"#)
    guard case .string(let token)? = opened.json?["token"] else { return #expect(Bool(false), "\(opened.text)") }
    let scroll = try #require(opened["Location"])
    let fields = [("Authorization", "Bearer \(token)"), ("Accept-Encoding", "gzip")]
    let whole = try await other.request("GET", scroll, fields: fields)
    #expect(whole["Content-Encoding"] == "gzip")
    let head = try await other.request("HEAD", scroll, fields: fields)
    #expect((head.status, head["Content-Encoding"], head["ETag"]) == (200, "gzip", whole["ETag"]))
    #expect(head["Content-Length"] == nil)
  }
}
