// SPDX-License-Identifier: MIT
public import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Files of a session: those that it takes, and those that it offers.
extension RemoteSession {
  /// The bytes of one request.
  private static let part = 1 << 20

  /// Sends a file to a place for files, and goes on where it was broken off. If the app has a store of its own for files, the
  /// file goes there, as a whole.
  ///
  /// - Returns: its key in the place's list.
  @discardableResult
  public func upload(
    _ file: Data, to path: String, named name: String, type: String = "application/octet-stream"
  ) async throws -> String {
    let key = UUID().uuidString
    let target = "\(url)/uploads/\(path)/\(key)"
    let encoded = name.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
    let declared = [
      "Content-Disposition": "attachment; filename*=UTF-8''\(encoded)", "Content-Type": type,
      "Upload-Length": "\(file.count)", "Upload-Complete": "?0",
    ]
    var there = try await ask("PUT", target, fields: declared)
    if let address = there.flatMap({ try? JSONDecoder().decode(StoreAddress.self, from: $0.data) }) {
      try await send(file, to: address, target)
      there = nil
    }
    var stuck = 0
    while let answer = there, answer.head.value(forHTTPHeaderField: "Upload-Complete") != "?1" {
      guard let offset = answer.offset else { throw URLError(.badServerResponse) }
      let part = file.dropFirst(offset).prefix(Self.part)
      let isLast = offset + part.count == file.count
      there = try await patch(target, Data(part), at: offset, isLast: isLast)
      if there == nil {
        // The part may have come, or some of it.
        try await pause(.seconds(min(1 << stuck, 30)))
        do { there = try await ask("HEAD", target) } catch let problem as RemoteProblem {
          // An action has taken the file, which was there as a whole.
          guard problem.status == 410, isLast else { throw problem }
        }
      }
      stuck = there?.offset ?? 0 > offset ? 0 : min(stuck + 1, 5)
    }
    try await next(wait: 0)
    return key
  }

  /// Sends a file to the app's store, at an address of its own, and has the server look there.
  private func send(_ file: Data, to address: StoreAddress, _ target: String) async throws {
    var request = URLRequest(url: address.url)
    (request.httpMethod, request.httpShouldHandleCookies, request.httpBody) = ("PUT", false, file)
    for (field, value) in address.fields { request.setValue(value, forHTTPHeaderField: field) }
    let status = (try await transport(request).1 as? HTTPURLResponse)?.statusCode ?? 0
    guard 200..<300 ~= status else { throw RemoteProblem(status: status, body: .null) }
    let fields = [
      "Content-Type": "application/partial-upload", "Upload-Offset": "\(file.count)", "Upload-Complete": "?1",
    ]
    do { _ = try await ask("PATCH", target, fields: fields) } catch let problem as RemoteProblem {
      // The answer was lost, and an action has taken the file since.
      guard problem.status == 410 else { throw problem }
    }
  }

  /// Sends a part once; `nil` if its answer is lost, or it begins elsewhere than the server's.
  private func patch(_ target: String, _ part: Data, at offset: Int, isLast: Bool) async throws -> FileAnswer? {
    let fields = [
      "Content-Type": "application/partial-upload", "Upload-Offset": "\(offset)",
      "Upload-Complete": isLast ? "?1" : "?0",
    ]
    do { return try await ask("PATCH", target, part, fields: fields, isRepeated: false) } catch let problem
      as RemoteProblem
    {
      guard problem.kind == "upload-offset" else { throw problem }
      return nil
    }
  }

  /// Fetches a file that a session offers, from the `url` in the state.
  public func download(_ offered: String) async throws -> Data { try await ask("GET", offered)?.data ?? Data() }

  /// Sends a request until it has an answer, or once; `nil` for one whose answer is lost.
  private func ask(
    _ method: String, _ target: String, _ body: Data? = nil, fields: [String: String] = [:], isRepeated: Bool = true
  ) async throws -> FileAnswer? {
    guard let place = URL(string: target, relativeTo: server) else { throw URLError(.badURL) }
    var failures = 0
    while true {
      var request = URLRequest(url: place, timeoutInterval: 60)
      (request.httpMethod, request.httpShouldHandleCookies, request.httpBody) = (method, false, body)
      for (field, value) in fields { request.setValue(value, forHTTPHeaderField: field) }
      if !token.isEmpty { request.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization") }
      var seconds = min(1 << failures, 30)
      if let (data, head) = try? await transport(request), let head = head as? HTTPURLResponse {
        if head.statusCode < 300 { return FileAnswer(data: data, head: head) }
        let retryAfter = head.value(forHTTPHeaderField: "Retry-After").flatMap { Int($0) }
        guard retryAfter != nil || 502...504 ~= head.statusCode else {
          throw RemoteProblem(
            status: head.statusCode, body: (try? JSONDecoder().decode(JSON.self, from: data)) ?? .null)
        }
        seconds = retryAfter ?? seconds
      }
      try Task.checkCancellation()
      if !isRepeated { return nil }
      failures = min(failures + 1, 5)
      try await pause(.seconds(seconds))
    }
  }
}

private struct StoreAddress: Decodable {
  let url: URL
  let fields: [String: String]
}

private struct FileAnswer {
  let data: Data
  let head: HTTPURLResponse

  /// The bytes of a file that the server has.
  var offset: Int? { head.value(forHTTPHeaderField: "Upload-Offset").flatMap { Int($0) } }
}
