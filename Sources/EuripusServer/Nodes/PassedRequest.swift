// SPDX-License-Identifier: MIT
import HTTPListening
import Sessions
import Storing

/// A copy of a request, for the server that has the session.
struct PassedRequest: Sendable {
  let method: String
  private let target: String
  private let fields: [String]
  private let body: [UInt8]
  /// The body, for one that is read while it comes.
  let arriving: RouteBody?
  /// The fields about the file that such a body is; `nil` where they are faulty.
  let file: UploadRequest?
  /// Whether it may be sent twice: it changes nothing, or has the same effect twice (RFC 9110 §9.2), or has a
  /// key by which it takes effect once.
  let mayBeRepeated: Bool

  /// - Parameter hasCheckedUser: whether this server knows the fields by which proxies name users, and believes
  ///   those of the request.
  init(_ request: HTTPRequest, of caller: Caller, hasCheckedUser: Bool) {
    method = request.method
    // An absolute form becomes its path, as the Host field has the host too.
    let target = request.target
    if target.hasPrefix("/") {
      self.target = target
    } else {
      // The third slash is the first one after the authority.
      let parts = target.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
      self.target = "/" + (parts.count > 3 ? parts[3] : "")
    }
    body = request.body
    arriving = request.bodyStream.map { RouteBody(body: $0) }
    file = arriving == nil ? nil : try? UploadRequest(request)
    let hasKey = request.headerCount("Idempotency-Key") > 0
    // A condition on the version would fail the second time, since the first request has moved the version.
    let isIdempotent = ["GET", "HEAD", "PUT", "DELETE", "OPTIONS"].contains(request.method)
    mayBeRepeated = hasKey || isIdempotent && request.headerCount("If-Match") == 0
    var fields: [String] = []
    var hasType = false
    for (name, value) in request.fields {
      let lower = name.lowercased()
      if Self.own.contains(lower) { continue }
      if lower == "content-type" { hasType = true }
      // libcurl leaves out a field without a value, unless it is written so.
      fields.append(value.isEmpty ? "\(name);" : "\(name): \(value)")
    }
    // libcurl would add these by itself.
    if !hasType, !body.isEmpty { fields.append("Content-Type:") }
    fields.append("Expect:")
    if hasCheckedUser { fields.append("\(NodeField.user): checked") }
    if !fields.contains(where: { $0.lowercased().hasPrefix("accept:") }) { fields.append("Accept:") }
    fields.append("Forwarded: \(Self.forwarded(caller))")
    self.fields = fields
  }

  /// Fields of this connection alone, and fields about the client, which this server has read.
  private static let own: Set<String> = [
    "connection", "keep-alive", "te", "trailer", "transfer-encoding", "upgrade", "expect", "content-length",
    "forwarded", "x-forwarded-for", "x-forwarded-proto", "x-forwarded-host", "euripus-node",
    // The server that the client asks compresses the answer.
    "accept-encoding", "euripus-user", "euripus-reader", "euripus-body-start",
  ]

  /// The client as this server knows it (RFC 7239).
  private static func forwarded(_ caller: Caller) -> String {
    let node = caller.address.contains(":") ? "\"[\(caller.address)]\"" : caller.address
    return "for=\(node);proto=\(caller.isSecure ? "https" : "http");host=\"\(caller.host)\""
  }

  /// The request to the server that has the session.
  ///
  /// - Parameter collected: the body of a request whose body is read while it comes.
  func request(to place: Elsewhere, with collected: [UInt8]? = nil) -> NodeRequest {
    NodeRequest(
      method: method, url: place.url + target, fields: fields + ["\(NodeField.token): \(place.token)"],
      body: collected ?? body, mayBeRepeated: mayBeRepeated, boot: place.boot)
  }

  /// A request with a part of the file that this one sends.
  ///
  /// - Parameters:
  ///   - path: the file's path, where that is another one than this request's.
  ///   - own: the fields that say which part it is. This request's own are left out.
  ///   - start: the place in the file at which this request's body begins, for the last part of the body: the digest of the
  ///     body goes with that. `nil` for any other part.
  func part(
    _ method: String, at path: String? = nil, of bytes: [UInt8], _ own: [(name: String, value: String)],
    endingBodyFrom start: Int? = nil, to place: Elsewhere
  ) -> NodeRequest {
    let own = own + (start.map { [(name: "\(NodeField.bodyStart)", value: "\($0)")] } ?? [])
    let given = Self.ofParts.union(own.map { $0.name.lowercased() } + (start == nil ? ["content-digest"] : []))
    let kept = fields.filter { line in !given.contains(line.prefix { $0 != ":" && $0 != ";" }.lowercased()) }
    return NodeRequest(
      method: method, url: place.url + (path ?? target),
      fields: kept + own.map { "\($0.name): \($0.value)" } + ["\(NodeField.token): \(place.token)"], body: bytes,
      mayBeRepeated: false, boot: place.boot)
  }

  private static let ofParts: Set = ["upload-offset", "upload-complete", "upload-length"]
}
