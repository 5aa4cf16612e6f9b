// SPDX-License-Identifier: MIT
public import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Files of a session: those that it takes, and those that it offers.
extension RemoteSession {
  /// The bytes of one request.
  private static let part = 1 << 20

  /// Sends a file to a place for files, and goes on where it was broken off.
  ///
  /// - Returns: its key in the place's list.
  @discardableResult
  public func upload(
    _ file: Data, to path: String, named name: String, type: String = "application/octet-stream"
  ) async throws -> String {
    let key = UUID().uuidString
    let target = "/uploads/\(path)/\(key)"
    let encoded = name.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
    let declared = [
      "Content-Disposition": "attachment; filename*=UTF-8''\(encoded)", "Content-Type": type,
      "Upload-Length": "\(file.count)", "Upload-Complete": "?0",
    ]
    try await ask("PUT", target, fields: declared)
    while let there = try await ask("HEAD", target)?.head, there.value(forHTTPHeaderField: "Upload-Complete") != "?1" {
      let offset = there.value(forHTTPHeaderField: "Upload-Offset").flatMap { Int($0) } ?? 0
      let part = file.dropFirst(offset).prefix(Self.part)
      let fields = [
        "Content-Type": "application/partial-upload", "Upload-Offset": "\(offset)",
        "Upload-Complete": offset + part.count == file.count ? "?1" : "?0",
      ]
      // If its answer is lost, the part may have come: HEAD says so.
      try await ask("PATCH", target, Data(part), fields: fields, isRepeated: false)
    }
    try await next(wait: 0)
    return key
  }

  /// Fetches a file that the session offers, from the `url` in its state.
  public func download(_ offered: String) async throws -> Data {
    try await ask("GET", String(offered.dropFirst(url.count)))?.data ?? Data()
  }

  /// Sends a request until it has an answer, or once; `nil` for one whose answer is lost.
  @discardableResult
  private func ask(
    _ method: String, _ target: String, _ body: Data? = nil, fields: [String: String] = [:], isRepeated: Bool = true
  ) async throws -> (data: Data, head: HTTPURLResponse)? {
    guard let place = URL(string: url + target, relativeTo: server) else { throw URLError(.badURL) }
    var failures = 0
    while true {
      var request = URLRequest(url: place, timeoutInterval: 60)
      (request.httpMethod, request.httpShouldHandleCookies, request.httpBody) = (method, false, body)
      for (field, value) in fields { request.setValue(value, forHTTPHeaderField: field) }
      if !token.isEmpty { request.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization") }
      var seconds = min(1 << failures, 30)
      if let (data, head) = try? await transport(request), let head = head as? HTTPURLResponse {
        if head.statusCode < 300 { return (data, head) }
        let retryAfter = head.value(forHTTPHeaderField: "Retry-After").flatMap { Int($0) }
        guard retryAfter != nil || 502...504 ~= head.statusCode else {
          throw RemoteProblem(
            status: head.statusCode, body: (try? JSONDecoder().decode(JSON.self, from: data)) ?? .null)
        }
        seconds = retryAfter ?? seconds
      }
      try Task.checkCancellation()
      failures = min(failures + 1, 5)
      try await pause(.seconds(seconds))
      if !isRepeated { return nil }
    }
  }
}
