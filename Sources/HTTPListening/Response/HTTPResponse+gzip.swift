// SPDX-License-Identifier: MIT
import CZlib

extension HTTPResponse {
  /// A body of as many bytes is sent as it is: it fits into one packet anyway.
  private static let longestPlain = 1_024

  /// Whether the body can have gzip as its content coding, and is so long that it is worth it. One that is not sent, as that of
  /// a 304, says how long it is without.
  var isWorthGzip: Bool {
    guard case .bytes(let bytes) = body, status != 304 else { return false }
    return bytes.count > Self.longestPlain && UInt32(exactly: bytes.count) != nil && mayBeTransformed
  }

  /// Whether it may be coded: not if it is coded already, nor if it is an event stream, whose events are taken as they
  /// come, nor if it says so (RFC 9111 §5.2.2.6).
  private var mayBeTransformed: Bool {
    if contentType.map({ Self.isEventStream($0.description) }) == true { return false }
    return fields.allSatisfy { field in
      switch field.name.description.lowercased() {
      case "content-encoding": false
      case "content-type": !Self.isEventStream(field.value)
      case "cache-control": !field.value.lowercased().contains("no-transform")
      default: true
      }
    }
  }

  private static func isEventStream(_ type: String) -> Bool {
    type.prefix { $0 != ";" && $0 != " " }.lowercased() == "text/event-stream"
  }

  /// The response with its body as gzip, and a tag that says so, as another body needs another strong tag (RFC 9110
  /// §8.8.3.3); or as it is, where that is not worth it.
  package var gzipped: HTTPResponse {
    guard isWorthGzip, case .bytes(let bytes) = body else { return self }
    var space = [UInt8](repeating: 0, count: bytes.count - 1)
    let count = czlib_gzip(bytes, UInt32(bytes.count), &space, UInt32(space.count))
    if count == 0 { return self }
    var response = self
    response.body = .bytes(Array(space[..<count]))
    response.fields.append(HTTPField("Content-Encoding", "gzip"))
    response.entityTag = entityTag.map { $0 + Self.gzipSuffix }
    return response
  }

  /// The end of the entity tag of a response whose body is gzip.
  package static let gzipSuffix = "-gzip"
}
