// SPDX-License-Identifier: MIT
import Buffers
import CMicroHTTPDShim

/// How the head of a response is written (Decisions/0034): libmicrohttpd sends it in place of one of its own.
enum ResponseHead {
  /// What follows the head.
  enum Body {
    case bytes([UInt8])
    /// It is made while it is sent: in chunks, or to the end of the connection.
    case streamed(inChunks: Bool)
  }

  /// What becomes of the connection after the response, as far as the client has to be told (RFC 9112 §9.3).
  enum Persistence {
    case kept
    /// The same for a client of HTTP/1.0, which takes nothing said for the end.
    case keptOnRequest
    case closing
  }

  /// RFC 9110 §15.2 to §15.6: these have no content, whatever they are given.
  private static func hasContent(_ status: Int) -> Bool { status != 204 && status != 304 && status >= 200 }

  /// Writes the head and what it is given of the body.
  /// - Parameters:
  ///   - output: What it is appended to.
  ///   - response: What is answered; `body` counts instead of its own.
  ///   - common: Lines of fields, checked and ended, that come before the response's own.
  ///   - isHead: Whether HEAD is answered, and the body only described.
  /// - Returns: False, and nothing was written, if there is a field that cannot be sent.
  static func write(
    _ response: HTTPResponse, _ body: Body, common: UnsafeBufferPointer<UInt8>, more: [HTTPField],
    _ persistence: Persistence, isHead: Bool, to output: inout Buffer<UInt8>
  ) -> Bool {
    let start = output.count
    if response.status == 200 {
      output.append("HTTP/1.1 200 OK\r\n")
    } else {
      output.append(contentsOf: statusLine(response.status))
    }
    output.append(contentsOf: common)
    switch persistence {
    case .kept: break
    case .keptOnRequest: output.append("Connection: Keep-Alive\r\n")
    case .closing: output.append("Connection: close\r\n")
    }
    if let type = response.contentType {
      output.append("Content-Type: ")
      output.append(type)
      output.append("\r\n")
    }
    guard append(more, to: &output), append(response.fields, to: &output), append(tag: response.entityTag, to: &output)
    else {
      output.removeAll(from: start)
      return false
    }
    switch body {
    case .bytes(let bytes):
      // A response that has no content may still say what there would be (RFC 9110 §8.6).
      if hasContent(response.status) || (response.status == 304 && !bytes.isEmpty) {
        output.append("Content-Length: ")
        output.append(decimal: UInt64(bytes.count))
        output.append("\r\n")
      }
      output.append("\r\n")
      if !isHead, hasContent(response.status) { output.append(contentsOf: bytes) }
    case .streamed(let inChunks):
      if inChunks { output.append("Transfer-Encoding: chunked\r\n") }
      output.append("\r\n")
    }
    return true
  }

  /// - Returns: The lines of these fields; nil if one of them cannot be sent.
  static func lines(_ fields: [HTTPField]) -> [UInt8]? {
    var lines = Buffer<UInt8>()
    return append(fields, to: &lines) ? [UInt8](lines) : nil
  }

  /// A field without a value is left out.
  private static func append(_ fields: [HTTPField], to output: inout Buffer<UInt8>) -> Bool {
    // Most responses have none, and an array would be kept alive for the call.
    if fields.isEmpty { return true }
    for field in fields where !field.value.isEmpty {
      var value = field.value
      let wasAppended = value.withUTF8 { value in
        // A line break or a NUL would end the field, and let what follows be taken for another.
        guard isFieldContent(value) else { return false }
        output.append(field.name)
        output.append(": ")
        output.append(contentsOf: value)
        output.append("\r\n")
        return true
      }
      guard wasAppended else { return false }
    }
    return true
  }

  private static func append(tag: String?, to output: inout Buffer<UInt8>) -> Bool {
    guard var tag else { return true }
    return tag.withUTF8 { tag in
      guard tag.allSatisfy({ $0 > 0x20 && $0 != 0x22 && $0 != 0x7F }) else { return false }
      output.append("ETag: \"")
      output.append(contentsOf: tag)
      output.append("\"\r\n")
      return true
    }
  }

  private static func statusLine(_ status: Int) -> [UInt8] {
    let reason = MHD_get_reason_phrase_for(UInt32(clamping: status)).map { String(cString: $0) } ?? "Unknown"
    return Array("HTTP/1.1 \(status) \(reason)\r\n".utf8)
  }
}
