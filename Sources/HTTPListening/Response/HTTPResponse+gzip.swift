// SPDX-License-Identifier: MIT
import CZlib

extension HTTPResponse {
  /// The longest body that is sent without gzip: it fits into one packet anyway.
  private static let longestPlain = 1_024

  /// Whether the body can have gzip as its content coding, and is long enough for it. The body of a 304 is not
  /// sent, and its length is named without a coding.
  var isWorthGzip: Bool {
    guard case .bytes(let bytes) = body, status != 304 else { return false }
    return bytes.count > Self.longestPlain && UInt32(exactly: bytes.count) != nil && mayBeTransformed
  }

  /// Whether the body may be coded. It may not if it is coded already, if the response forbids it (RFC 9111
  /// §5.2.2.6), or if it is a stream of events, which are taken as they come.
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

  /// The response with its body as gzip, or as it is if that is not worth it. The tag says so too, since
  /// another body needs another strong tag (RFC 9110 §8.8.3.3).
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
