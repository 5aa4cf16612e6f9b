// SPDX-License-Identifier: MIT
public import Foundation

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

/// A session of a view model on a server: its state, followed and changed.
///
/// The client sends a request again if no whole answer comes, or if the server asks for it later. A change is done once
/// all the same. A refusal is thrown as a ``RemoteProblem``.
@MainActor public final class RemoteSession {
  public typealias Transport = @Sendable (URLRequest) async throws -> (Data, URLResponse)
  private typealias Answer = (body: JSON, retryAfter: Int?, held: String)

  public private(set) var state = JSON.null
  public private(set) var version = ""
  /// The session's URL on the server, and the key by which its client is known.
  public private(set) var (url, token) = ("", "")
  /// Called with each new state.
  public var changed: (JSON) throws -> Void = { _ in }

  let server: URL
  let transport: Transport
  let pause: (Duration) async throws -> Void
  private let name = UUID().uuidString
  private var number = 1
  private var last: Task<JSON, any Error>?

  /// Opens a session.
  ///
  /// - Parameter pause: waits before a request is sent again: as long as the server asks, or twice as long each time.
  public init(
    opening model: String, at server: URL, params: JSON? = nil, invitation: String? = nil,
    transport: @escaping Transport = { try await URLSession.shared.data(for: $0) },
    pause: @escaping (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
  ) async throws {
    (self.server, self.transport, self.pause) = (server, transport, pause)
    let body = ["auth": .string("bearer"), "params": params, "invitation": invitation.map { JSON.string($0) }]
    let opened = try await send("POST", "/sessions/\(model)", body: .object(body.compactMapValues(\.self))).body
    (url, token) = (opened["url"]?.text ?? "", opened["token"]?.text ?? "")
    (version, state) = (opened["version"]?.text ?? "", opened["state"] ?? .null)
  }

  /// Waits for a change, for `seconds` at most.
  public func next(wait seconds: Int = 25) async throws {
    let answer = try await send("GET", "/changes", wait: seconds)
    try take(answer)
    // The server let this reader go, to make room for another.
    if let seconds = answer.retryAfter { try await pause(.seconds(seconds)) }
  }

  /// Sends a change once the changes before it are decided: `POST` of `/actions/…`, `PUT` of `/state/…`, `DELETE`.
  ///
  /// - Parameter since: a version since which a value that is set must not have changed; `nil` for any.
  /// - Returns: the result of an action, or of a command that ends within `wait` seconds.
  @discardableResult
  public func change(
    _ method: String, _ path: String, _ value: JSON? = nil, wait: Int = 0, since: String? = nil
  ) async throws -> JSON {
    let change = Task { [last] in
      _ = await last?.result
      do {
        let answer = try await send(method, path, body: value, wait: wait, since: since, isChange: true)
        number += 1
        try take(answer)
        // An answer may be dropped for a newer one. The change is in the state when this returns.
        let to = answer.body["to"] ?? answer.body["version"]
        while let to = to?.text, isNews(to, to: answer.held) { try await next(wait: 0) }
        return answer.body["result"] ?? .null
      } catch let problem as RemoteProblem {
        if problem.usesUpNumber { number += 1 }
        throw problem
      }
    }
    last = change
    return try await change.value
  }

  private func send(
    _ method: String, _ target: String, body: JSON? = nil, wait: Int = 0, since: String? = nil, isChange: Bool = false
  ) async throws -> Answer {
    var failures = 0
    while true {
      let (held, query) = (version, version.isEmpty ? "" : "?since=\(version)")
      guard let place = URL(string: url + target + query, relativeTo: server) else { throw URLError(.badURL) }
      var request = URLRequest(url: place, timeoutInterval: TimeInterval(wait + 30))
      (request.httpMethod, request.httpShouldHandleCookies) = (method, false)
      request.httpBody = try body.map { try JSONEncoder().encode($0) }
      let fields = [
        "Authorization": token.isEmpty ? nil : "Bearer \(token)", "Prefer": wait > 0 ? "wait=\(wait)" : nil,
        "Content-Type": body == nil ? nil : "application/json", "Idempotency-Key": isChange ? "\(name)/\(number)" : nil,
        "If-Match": since.map { "\"\($0)\"" },
      ]
      for (field, value) in fields { request.setValue(value, forHTTPHeaderField: field) }
      var seconds = min(1 << failures, 30)
      if let (data, head) = try? await transport(request), let head = head as? HTTPURLResponse {
        let json = data.isEmpty ? JSON.null : try? JSONDecoder().decode(JSON.self, from: data)
        let retryAfter = head.value(forHTTPHeaderField: "Retry-After").flatMap { Int($0) }
        if head.statusCode < 300, let json { return (json, retryAfter, held) }
        // A proxy got no answer, or has sent a page of its own. The request may have been carried out.
        let mayBeDone = head.statusCode < 300 || 502...504 ~= head.statusCode
        if let expected = json?["expected"]?.integer {
          // The server has an older memory of this client than the client itself.
          (number, seconds) = (expected, 0)
        } else if !held.isEmpty, retryAfter != nil || mayBeDone {
          seconds = retryAfter ?? seconds
        } else if json != nil || !mayBeDone {
          throw RemoteProblem(status: head.statusCode, body: json ?? .null)
        }
      }
      try Task.checkCancellation()
      failures = min(failures + 1, 5)
      try await pause(.seconds(seconds))
    }
  }

  /// Takes a frame if it fits the version that the client holds, and drops it otherwise.
  private func take(_ answer: Answer) throws {
    if let token = answer.body["token"]?.text { self.token = token }
    guard let to = answer.body["to"]?.text else { return }
    let whole = answer.body["state"].flatMap { isNews(to, to: answer.held) ? $0 : nil }
    let patch = answer.body["from"]?.text == version ? answer.body["patch"] : nil
    guard let next = whole ?? patch.map({ state.patched(by: $0) }) else { return }
    (state, version) = (next, to)
    try changed(state)
  }

  /// Whether a version is newer than the one that the client holds. One of another epoch is, unless its request was
  /// sent in an epoch that the client has left.
  private func isNews(_ new: String, to held: String) -> Bool {
    let (new, now, held) = (new.split(separator: "."), version.split(separator: "."), held.split(separator: "."))
    return new[0] == now[0] ? (Int(new[1]) ?? 0) > (Int(now[1]) ?? 0) : held[0] == now[0]
  }
}
