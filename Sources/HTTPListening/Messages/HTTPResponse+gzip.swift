// SPDX-License-Identifier: MIT

extension HTTPResponse {
  /// The longest body that is sent without gzip: it fits into one packet anyway.
  package static let longestPlain = 1_024

  /// Whether the body can have gzip as its content coding, and is long enough for it. The body of a 304 is not
  /// sent, and its length is named without a coding.
  var isWorthGzip: Bool {
    if case .file = body { return false }
    return status != 304 && body.count > Self.longestPlain && mayBeTransformed
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
    guard isWorthGzip else { return self }
    var response = self
    if case .bytes(let bytes) = body {
      guard let coded = Gzip.coded(bytes, .least) else { return self }
      response.body = .bytes(coded)
    } else {
      // The length of a body that is not here is not known once it is compressed.
      response.body = .unsent(length: nil)
    }
    response.fields.append(HTTPField("Content-Encoding", "gzip"))
    response.entityTag = entityTag.map { $0 + Self.gzipSuffix }
    return response
  }

  /// The end of the entity tag of a response whose body is gzip.
  package static let gzipSuffix = "-gzip"
}
