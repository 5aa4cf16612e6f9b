// SPDX-License-Identifier: MIT

/// Reads of a body in the chunked coding, as it comes (RFC 9112 §7.1).
extension RawClient {
  /// The next chunk; `nil` for the last one, which is empty.
  func receiveChunk() throws -> String? {
    let size = try receiveLine()
    guard let count = Int(size, radix: 16) else { throw Failure(description: "no chunk size: '\(size)'") }
    while pending.count < count + 2 {
      guard try fill() else { throw Failure(description: "closed in a chunk: \(pending.count) of \(count) bytes") }
    }
    let chunk = String(decoding: pending[..<count], as: UTF8.self)
    pending.removeSubrange(..<(count + 2))
    return count == 0 ? nil : chunk
  }

  /// The chunks that come until there are `count` bytes of the body.
  func receiveBody(atLeast count: Int) throws -> String {
    var body = ""
    while body.utf8.count < count {
      guard let chunk = try receiveChunk() else { throw Failure(description: "ended after: \(body)") }
      body += chunk
    }
    return body
  }

  /// The rest of the body.
  func receiveBodyToEnd() throws -> String {
    var body = ""
    while let chunk = try receiveChunk() { body += chunk }
    return body
  }

  private func receiveLine() throws -> String {
    while true {
      if let end = pending.firstIndex(of: 10) {
        let line = String(decoding: pending[..<end].dropLast(), as: UTF8.self)
        pending.removeSubrange(...end)
        return line
      }
      guard try fill() else { throw Failure(description: "closed before a chunk") }
    }
  }
}
