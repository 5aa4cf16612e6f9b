// SPDX-License-Identifier: MIT
import EuripusClient
import Foundation
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A server that takes one file. The answers to some requests are lost, by the requests' numbers.
private actor Spool {
  private let lost: Int
  /// Whether an action takes the file as soon as it is there.
  private let takesAway: Bool
  private(set) var asked: [String] = []
  private(set) var declared: URLRequest?
  /// The request that came to the store, and its answer.
  private(set) var stored: URLRequest?
  private let storeAnswer: Int
  private(set) var bytes = Data()
  private(set) var isComplete = false
  /// The answer to each request for a file, in place of taking it.
  private var answers: [(status: Int, body: String)]

  init(
    losing lost: Int = 0, takesAway: Bool = false, answers: [(status: Int, body: String)] = [],
    refusing storeAnswer: Int = 200
  ) {
    (self.lost, self.takesAway, self.answers, self.storeAnswer) = (lost, takesAway, answers, storeAnswer)
  }

  func answer(_ request: URLRequest) throws -> (Data, URLResponse) {
    let (method, path) = (request.httpMethod ?? "", request.url?.path ?? "")
    asked.append("\(method) \(path)")
    let (status, body) = try answer(method, path, request)
    let fields = ["Upload-Offset": "\(bytes.count)", "Upload-Complete": isComplete ? "?1" : "?0"]
    guard asked.count != lost, let url = request.url,
      let head = HTTPURLResponse(url: url, statusCode: status, httpVersion: nil, headerFields: fields)
    else { throw URLError(.networkConnectionLost) }
    return (Data(body.utf8), head)
  }

  private func answer(_ method: String, _ path: String, _ request: URLRequest) throws -> (status: Int, body: String) {
    if path == "/sessions/m" {
      return (201, #"{"url":"/sessions/m/i","token":"t","version":"e.1","state":{}}"#)
    }
    if path.hasSuffix("/changes") { return (204, "") }
    if request.url?.host() == "store.example" {
      stored = request
      return (storeAnswer, "")
    }
    #expect(request.value(forHTTPHeaderField: "Authorization") == "Bearer t")
    if !answers.isEmpty { return answers.removeFirst() }
    if takesAway, isComplete { return (410, "") }
    if method == "PUT" { declared = request }
    if method == "PATCH" {
      guard request.value(forHTTPHeaderField: "Upload-Offset") == "\(bytes.count)", !isComplete else {
        return (409, #"{"type":"/problems/upload-offset"}"#)
      }
      bytes += request.httpBody ?? Data()
      isComplete = request.value(forHTTPHeaderField: "Upload-Complete") == "?1"
    }
    return (200, "")
  }
}

@MainActor @Suite struct `Files of a client in Swift` {
  private let file = Data((0..<2_500_000).map { UInt8(truncatingIfNeeded: $0) })

  private func session(_ spool: Spool) async throws -> RemoteSession {
    let url = try #require(URL(string: "http://127.0.0.1:1"))
    return try await RemoteSession(
      opening: "m", at: url, transport: { try await spool.answer($0) }, pause: { _ in })
  }

  @Test func `go to a store of the app's, which gets no token, and the server is told`() async throws {
    let address = #"{"url":"http://store.example/a?signed","fields":{"Content-Type":"image/png"}}"#
    for told in [204, 410] {
      let spool = Spool(answers: [(200, address), (told, "")])
      let key = try await session(spool).upload(file, to: "photos", named: "a.png", type: "image/png")
      #expect(
        await spool.asked.suffix(4) == [
          "PUT /sessions/m/i/uploads/photos/\(key)", "PUT /a", "PATCH /sessions/m/i/uploads/photos/\(key)",
          "GET /sessions/m/i/changes",
        ])
      #expect(await spool.stored?.httpBody == file)
      #expect(await spool.stored?.allHTTPHeaderFields == ["Content-Type": "image/png"])
    }
    let closed = Spool(answers: [(200, address)], refusing: 403)
    await #expect(throws: RemoteProblem.self) { try await session(closed).upload(file, to: "photos", named: "a.png") }
  }

  @Test func `are sent in parts, once, whichever answer is lost`() async throws {
    let whole = Spool()
    try await session(whole).upload(file, to: "photos", named: "Möwe's.png", type: "image/png")
    let count = await whole.asked.count
    for lost in 2...count {
      let spool = Spool(losing: lost)
      let key = try await session(spool).upload(file, to: "photos", named: "a.png", type: "image/png")
      #expect(await spool.bytes == file)
      #expect(await spool.isComplete)
      #expect(await spool.asked[1] == "PUT /sessions/m/i/uploads/photos/\(key)")
    }
    let declared = try #require(await whole.declared)
    let disposition = "attachment; filename*=UTF-8''M%C3%B6we%27s%2Epng"
    #expect(declared.value(forHTTPHeaderField: "Content-Disposition") == disposition)
    #expect(declared.value(forHTTPHeaderField: "Upload-Length") == "2500000")
    #expect(await whole.asked.last == "GET /sessions/m/i/changes")
  }

  @Test func `are complete also without bytes`() async throws {
    let spool = Spool()
    try await session(spool).upload(Data(), to: "papers", named: "nothing.txt", type: "text/plain")
    #expect(await spool.isComplete)
  }

  @Test func `that an action has taken before the answer came are sent`() async throws {
    let spool = Spool(losing: 3, takesAway: true)
    try await session(spool).upload(Data("abc".utf8), to: "papers", named: "a.txt", type: "text/plain")
    #expect(await spool.bytes == Data("abc".utf8))
    #expect(await spool.isComplete)
  }

  @Test func `that are refused are an error`() async throws {
    let spool = Spool(answers: [(415, #"{"type":"/problems/wrong-file-type"}"#)])
    let session = try await session(spool)
    let problem = await #expect(throws: RemoteProblem.self) { try await session.upload(file, to: "photos", named: "a") }
    #expect(problem?.kind == "wrong-file-type")
  }

  @Test func `that the session offers are fetched until they have come`() async throws {
    let spool = Spool(losing: 3, answers: [(503, ""), (200, "lost"), (200, "a,b")])
    let bytes = try await session(spool).download("/sessions/m/i/downloads/k")
    #expect(bytes == Data("a,b".utf8))
    #expect(await spool.asked.dropFirst() == Array(repeating: "GET /sessions/m/i/downloads/k", count: 3)[...])
  }
}
