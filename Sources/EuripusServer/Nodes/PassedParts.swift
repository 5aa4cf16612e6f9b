// SPDX-License-Identifier: MIT
import HTTPListening
import Locking
import Sessions
import Storing

/// A file on its way to the server that has the session: its request is passed on as it is if it is short, and otherwise
/// in parts of 256 KiB, so that little of it is in memory.
final class PassedParts: Sendable {
  private static let length = 1 << 18

  private let request: PassedRequest
  private let body: RouteBody
  private let place: Elsewhere
  private let client: any NodeClient
  private let slot: PassageSlot
  private let failed = Locked(false)

  init(
    _ request: PassedRequest, _ body: RouteBody, to place: Elsewhere, by client: any NodeClient, in slot: PassageSlot
  ) {
    (self.request, self.body, self.place, self.client, self.slot) = (request, body, place, client, slot)
  }

  /// Whether the other server has not taken a part.
  var hasFailed: Bool { failed.withLock(\.self) }

  /// Passes the file on.
  ///
  /// - Returns: the answer to the client.
  func answer() async -> HTTPResponse {
    do { return try await pass() } catch let problem as Problem {
      return problem.response
    } catch { return Problem(.badRequest, "the rest of the file did not come").response }
  }

  private func pass() async throws -> HTTPResponse {
    var iterator = body.makeAsyncIterator()
    var (bytes, isOver): ([UInt8], Bool) = ([], false)
    func collect() async throws {
      while !isOver, bytes.count <= Self.length {
        if let piece = try await iterator.next() { bytes += piece } else { isOver = true }
      }
    }
    func take() -> [UInt8] {
      defer { bytes.removeFirst(min(Self.length, bytes.count)) }
      return Array(bytes.prefix(Self.length))
    }
    try await collect()
    if isOver, bytes.count <= Self.length { return try await send(request.request(to: place, with: bytes)) }
    let isPart = request.method == "PATCH"
    guard let file = request.file, !isPart || (file.offset != nil && file.isComplete != nil) else {
      // The other server refuses it by its fields alone.
      return try await send(request.request(to: place, with: []))
    }
    guard file.contentType.map(MediaType.isMultipart) != true else {
      throw Problem(
        .storeUnavailable,
        "another server has the session, and a form of more than \(Self.length) bytes does not reach it; expected PUT or PATCH"
      )
    }
    let start = isPart ? file.offset ?? 0 : 0
    let ofLength = file.length.map { [(name: "Upload-Length", value: "\($0)")] } ?? []
    let first = take()
    let begun = try await send(
      request.part(
        request.method, of: first,
        [("Upload-Complete", "?0")] + (isPart ? [("Upload-Offset", "\(start)")] : []) + ofLength, to: place))
    // The same request may have brought the whole file before.
    if begun.status >= 300 || begun.value("Upload-Complete") == "?1" { return begun }
    var offset = start + first.count
    let location = begun.value("Location")
    while true {
      try await collect()
      let part = take()
      let isLast = isOver && bytes.isEmpty
      let isComplete = isLast && file.isComplete != false
      var answer = try await send(
        request.part(
          "PATCH", at: location, of: part,
          [
            ("Content-Type", UploadFields.partType), ("Upload-Offset", "\(offset)"),
            ("Upload-Complete", isComplete ? "?1" : "?0"),
          ], endingBodyFrom: isLast ? start : nil, to: place))
      guard answer.status < 300, !isLast else {
        if answer.status < 300 {
          answer.status = begun.status
          if let location { answer.fields.append(HTTPField("Location", location)) }
        }
        return answer
      }
      offset += part.count
    }
  }

  private func send(_ request: NodeRequest) async throws(Problem) -> HTTPResponse {
    let outcome = await withCheckedContinuation { continuation in
      slot.put(Passage(client, request) { continuation.resume(returning: $0) })
    }
    if case .whole(let response) = outcome { return response }
    failed.withLock { $0 = true }
    throw Problem(
      .storeUnavailable, "the session goes to another server; expected a look by HEAD at how far the file has come",
      retryAfter: 1)
  }
}

extension HTTPResponse {
  /// The value of a field; `nil` for none.
  fileprivate func value(_ name: String) -> String? { fields.first { "\($0.name)" == name }?.value }
}
