// SPDX-License-Identifier: MIT
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
  ///   - date: The line that says when (RFC 9110 §6.6.1).
  ///   - isHead: Whether HEAD is answered, and the body only described.
  /// - Returns: False, and nothing was written, if there is a field that cannot be sent.
  static func write(
    _ response: HTTPResponse, _ body: Body, common: [UInt8], more: [HTTPField], date: [UInt8],
    _ persistence: Persistence,
    isHead: Bool, to output: inout [UInt8]
  ) -> Bool {
    let start = output.count
    if response.status == 200 {
      append("HTTP/1.1 200 OK\r\n", to: &output)
    } else {
      append(statusLine(response.status), to: &output)
    }
    append(date, to: &output)
    switch persistence {
    case .kept: break
    case .keptOnRequest: append("Connection: Keep-Alive\r\n", to: &output)
    case .closing: append("Connection: close\r\n", to: &output)
    }
    append(common, to: &output)
    if let type = response.contentType {
      append("Content-Type: ", to: &output)
      append(type, to: &output)
      append("\r\n", to: &output)
    }
    guard append(more, to: &output), append(response.fields, to: &output), append(tag: response.entityTag, to: &output)
    else {
      output.removeSubrange(start...)
      return false
    }
    switch body {
    case .bytes(let bytes):
      // A response that has no content may still say what there would be (RFC 9110 §8.6).
      if hasContent(response.status) || (response.status == 304 && !bytes.isEmpty) {
        append("Content-Length: ", to: &output)
        appendDecimal(bytes.count, to: &output)
        append("\r\n", to: &output)
      }
      append("\r\n", to: &output)
      if !isHead, hasContent(response.status) { append(bytes, to: &output) }
    case .streamed(let inChunks):
      if inChunks { append("Transfer-Encoding: chunked\r\n", to: &output) }
      append("\r\n", to: &output)
    }
    return true
  }

  /// - Returns: The lines of these fields; nil if one of them cannot be sent.
  static func lines(_ fields: [HTTPField]) -> [UInt8]? {
    var lines: [UInt8] = []
    return append(fields, to: &lines) ? lines : nil
  }

  /// A field without a value is left out.
  private static func append(_ fields: [HTTPField], to output: inout [UInt8]) -> Bool {
    for field in fields where !field.value.isEmpty {
      var value = field.value
      let wasAppended = value.withUTF8 { value in
        // A line break or a NUL would end the field, and let what follows be taken for another.
        guard isFieldContent(value) else { return false }
        append(field.name, to: &output)
        append(": ", to: &output)
        output.append(contentsOf: value)
        append("\r\n", to: &output)
        return true
      }
      guard wasAppended else { return false }
    }
    return true
  }

  private static func append(tag: String?, to output: inout [UInt8]) -> Bool {
    guard var tag else { return true }
    return tag.withUTF8 { tag in
      guard tag.allSatisfy({ $0 > 0x20 && $0 != 0x22 && $0 != 0x7F }) else { return false }
      append("ETag: \"", to: &output)
      output.append(contentsOf: tag)
      append("\"\r\n", to: &output)
      return true
    }
  }

  private static func append(_ text: StaticString, to output: inout [UInt8]) {
    text.withUTF8Buffer { output.append(contentsOf: $0) }
  }

  // An array would be kept alive for the call.
  private static func append(_ bytes: [UInt8], to output: inout [UInt8]) {
    bytes.withUnsafeBufferPointer { output.append(contentsOf: $0) }
  }

  private static func appendDecimal(_ number: Int, to output: inout [UInt8]) {
    if number >= 10 { appendDecimal(number / 10, to: &output) }
    output.append(0x30 + UInt8(number % 10))
  }

  private static func statusLine(_ status: Int) -> [UInt8] {
    let reason = MHD_get_reason_phrase_for(UInt32(clamping: status)).map { String(cString: $0) } ?? "Unknown"
    return Array("HTTP/1.1 \(status) \(reason)\r\n".utf8)
  }
}
