// SPDX-License-Identifier: MIT
import Dispatch

extension TestClient {
  /// Sends a request and waits for its response.
  @discardableResult
  public nonisolated(nonsending) func request(
    _ method: String, _ target: String, _ body: String? = nil, fields: [(String, String)] = []
  ) async throws -> Response {
    try send(method, target, body, fields: fields)
    return try await receive(hasBody: method != "HEAD")
  }

  /// Waits for a response to the request that was sent.
  public nonisolated(nonsending) func receive(hasBody: Bool = true) async throws -> Response {
    let lent = LentClient(client: self)
    return try await withCheckedThrowingContinuation { continuation in
      // The queue is serial, so it has a thread of its own.
      DispatchQueue(label: "euripus.testing.client").async {
        continuation.resume(with: Result { try lent.client.receive(hasBody: hasBody) as Response })
      }
    }
  }

  /// Opens a session. Returns its path, that of the URL.
  public nonisolated(nonsending) func open(_ model: String) async throws -> String {
    try url(of: await request("POST", "/sessions/\(model)"))
  }
}

/// A client that another thread uses while its own thread waits.
// @unchecked Sendable: the two threads never use it at once.
private struct LentClient: @unchecked Sendable {
  let client: TestClient
}
