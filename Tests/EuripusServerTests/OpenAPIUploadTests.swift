// SPDX-License-Identifier: MIT
import EuripusTesting
import JSONPatching
import Testing
import ViewModels

@testable import Euripus
@testable import EuripusOpenAPI
@testable import EuripusServer

/// A view model that takes files of users alone.
private final class Post: ViewModel {
  let letters: Uploads
  init(_ context: SessionContext) { letters = Uploads(context, each: .kilobytes(1)) }
  static let surface = Surface<Post>("post", .uploads("letters", \.letters).for(.signedIn))
}

@Suite(.timeLimit(.minutes(30))) struct `The OpenAPI description of files that clients send` {
  private let document: JSON

  init() throws {
    let text = OpenAPIDocument([Post.surface.description], RouteTable.all).json
    document = try JSONReader.read(text, limits: .init(depth: 100, nodes: .max))
  }

  private func operation(_ method: String, _ end: String = "/{file}") -> JSON? {
    document["paths"]?["/sessions/post/{id}/uploads/letters\(end)"]?[method]
  }

  private func problems(_ method: String, _ status: String) -> String {
    operation(method)?["responses"]?[status]?["$ref"]?.text ?? ""
  }

  @Test func `says of each request that it may come too fast, and that it may be for others alone`() {
    for method in ["put", "patch", "get", "delete"] {
      #expect(problems(method, "429").contains("too-many-requests"), "\(method)")
      #expect(problems(method, "403").contains("not-allowed"), "\(method)")
    }
  }

  @Test func `is right about each request by a client that may not send any`() throws {
    let opened = try Opened([.hosting { Post($0) }], "post")
    let part = [("Content-Type", "application/partial-upload"), ("Upload-Offset", "0"), ("Upload-Complete", "?1")]
    for (method, fields) in [("PUT", []), ("PATCH", part), ("GET", []), ("DELETE", [])] {
      let refused = try opened.send(method, "/uploads/letters/a", method == "GET" ? nil : "", fields)
      #expect((refused.status, refused.problem) == (403, "not-allowed"), "\(method): \(refused.text)")
    }
  }

  @Test func `says how a form is answered`() {
    let told = operation("post", "")?["responses"]?["201"]?["description"]?.text ?? ""
    #expect(told.contains(#"{"uploads":[URL,…]}"#), "\(told)")
  }

  /// The end of a stream says so where the reader is to come back at once.
  @Test func `has a Retry-After that may be 0`() {
    let schema = document["components"]?["headers"]?["Retry-After"]?["schema"]
    #expect(schema == ["type": "integer", "minimum": 0])
  }
}
