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
    guard request.value("content-type").map(MediaType.isMultipart) != true else {
      throw Problem(
        .storeUnavailable,
        "another server has the session, and a form of more than \(Self.length) bytes does not reach it; expected PUT or PATCH"
      )
    }
    let isPart = request.method == "PATCH"
    var offset = isPart ? request.value("upload-offset").flatMap { Int($0) } ?? 0 : 0
    let length = request.value("upload-length") ?? (isPart ? nil : request.length)
    let ofLength = length.map { [(name: "Upload-Length", value: $0)] } ?? []
    let first = take()
    let begun = try await send(
      request.part(
        request.method, of: first,
        [("Upload-Complete", "?0")] + (isPart ? [("Upload-Offset", "\(offset)")] : []) + ofLength, to: place))
    guard begun.status < 300 else { return begun }
    offset += first.count
    let location = begun.fields.first { "\($0.name)" == "Location" }
    while true {
      try await collect()
      let part = take()
      let isLast = isOver && bytes.isEmpty
      let isComplete = isLast && request.value("upload-complete") != "?0"
      var answer = try await send(
        request.part(
          "PATCH", at: location?.value, of: part,
          [
            ("Content-Type", UploadFields.partType), ("Upload-Offset", "\(offset)"),
            ("Upload-Complete", isComplete ? "?1" : "?0"),
          ], to: place))
      guard answer.status < 300, !isLast else {
        if answer.status < 300 {
          answer.status = begun.status
          if let location { answer.fields.append(location) }
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
