// SPDX-License-Identifier: MIT

import CMicroHTTPDShim
import Testing

/// A request, and the one answer that it must get.
struct RequestCase: Sendable, CustomTestStringConvertible {
  enum Expectation: Sendable, Equatable {
    /// The request is served, and its connection is kept.
    case served
    /// The request is served, and its connection is closed.
    case closed
    /// The request gate refuses the request with this status, and the connection is closed.
    case refused(Int)
    /// libmicrohttpd answers with a page of its own, and the connection is closed.
    case page(Int)
    /// libmicrohttpd answers with such a page whose head comes twice, and the connection is closed.
    case twice(Int)
    /// The request gets no answer. The connection is closed, at once or when its time is over.
    case silence
  }

  let name: String
  let bytes: [UInt8]
  /// The expectation with libmicrohttpd before 1.0, and the one from then on.
  private let older: Expectation
  private let newer: Expectation

  var expectation: Expectation { isNewer ? newer : older }
  var testDescription: String { name }

  static let isNewer = MHD_get_version().map { String(cString: $0) }?.hasPrefix("0.") == false
  private var isNewer: Bool { Self.isNewer }

  init(_ name: String, _ text: String, _ expectation: Expectation, newer: Expectation? = nil) {
    self.init(name, Array(text.utf8), expectation, newer: newer)
  }

  init(_ name: String, _ bytes: [UInt8], _ expectation: Expectation, newer: Expectation? = nil) {
    self.name = name
    self.bytes = bytes
    older = expectation
    self.newer = newer ?? expectation
  }
}

/// The limits of the listener that the cases are sent to.
enum CaseLimits {
  static let target = 200
  static let headerBytes = 1_000
  static let headerFields = 10
  static let body = 500
}

extension RequestCase {
  static let all =
    requestLines + versions + targets + fields + hosts + lengths + framings + folds + codings + chunks + limits + fine

  /// Makes cases with one expectation, each of which has a name.
  static func cases(
    _ kind: String, named texts: KeyValuePairs<String, String>, _ older: Expectation, newer: Expectation? = nil,
    _ request: (String) -> String = { $0 }
  ) -> [RequestCase] {
    texts.map { RequestCase("\(kind): \($0.key)", request($0.value), older, newer: newer) }
  }

  /// Makes cases with one expectation, which are named after their texts.
  static func cases(
    _ kind: String, _ texts: [String], _ older: Expectation, newer: Expectation? = nil, _ request: (String) -> String
  ) -> [RequestCase] {
    texts.map { RequestCase("\(kind): \($0.debugDescription)", request($0), older, newer: newer) }
  }

  private static func withLine(_ line: String) -> String { line + "Host: h\r\n\r\n" }

  private static let requestLines =
    cases(
      "request line",
      [
        "GET HTTP/1.1\r\n", "GET /\r\n", "GET / HTTP/1.1 \r\n", "GET / http/1.1\r\n", "GET / HTTQ/1.1\r\n",
        "GET / HTTP/1\r\n", "GET / HTTP/1.10\r\n", "GET / HTTP/+1.1\r\n", "GET / HTTP/1,1\r\n", "GET / HTTP/1.x\r\n",
        "GET /\rHTTP/1.1\r\n", "HTTP/1.1 200 OK\r\n",
      ], .page(400), withLine)
    + cases(
      "request line",
      ["GET\r\n", " GET / HTTP/1.1\r\n", "GET\t/\tHTTP/1.1\r\n", " / HTTP/1.1\r\n", "{\"a\":1}\r\n"], .silence, withLine
    )
    + cases("request line", ["G(T / HTTP/1.1\r\n"], .refused(400), withLine)
    + cases("request line", ["GET /  HTTP/1.1\r\n"], .refused(400), newer: .page(400), withLine)
    + cases("request line", ["GET  / HTTP/1.1\r\n"], .served, newer: .page(400), withLine)
    + cases(
      "request line", ["GE\0T / HTTP/1.1\r\n", "\r\n\r\nGET / HTTP/1.1\r\n", "\nGET / HTTP/1.1\r\n"], .served,
      newer: .silence, withLine)
    + cases("a hello of TLS", ["\u{16}\u{3}\u{1}\u{2}\0\u{1}"], .page(400), newer: .silence, withLine)

  /// Versions that are not served (RFC 9110 §15.6.6). An unknown minor version counts as the last known one
  /// (§2.5), so it is among the fine requests below.
  private static let versions = cases(
    "version",
    [
      "GET / HTTP/2.0\r\n", "GET / HTTP/3.1\r\n", "GET / HTTP/9.9\r\n", "GET / HTTP/0.9\r\n",
      "PRI * HTTP/2.0\r\n\r\nSM\r\n",
    ], .page(505), withLine)

  private static func withTarget(_ target: String) -> String { "GET \(target) HTTP/1.1\r\nHost: h\r\n\r\n" }

  private static let targets =
    cases(
      "target",
      [
        "/a\tb", "/a\u{7F}b", "/a\u{1B}b", "/a%00b", "/a?x=%00", "/a%", "/a%4", "/a%4g", "/a?%u0041", "/a\"b", "/a#b",
        "/a<b", "/a>b", "/a\\b", "/a^b", "/a`b", "/a{b", "/a|b", "/a}b", "/a?b={c}",
      ], .refused(400), withTarget)
    + cases("target", ["/a b"], .refused(400), newer: .page(400), withTarget)
    + cases("target", ["/a\0b"], .served, newer: .silence, withTarget) + [
      RequestCase(
        "target: not UTF-8", Array("GET /a".utf8) + [0xC3, 0x28] + Array(" HTTP/1.1\r\nHost: h\r\n\r\n".utf8),
        .refused(400))
    ]

  private static func withField(_ line: String) -> String { "POST / HTTP/1.1\r\nHost: h\r\n\(line)\r\n\r\n" }

  private static let fields =
    cases("field", ["X", "X\0: a"], .page(400), withField)
    + cases(
      "field",
      [
        "X(Y): a", "X\u{E9}: a", "X: \u{7}", "X: \u{7F}", "X: a\u{1B}[2J",
      ], .refused(400), withField)
    + cases(
      "field",
      [
        "X : a", "X\t: a", "X Y: a", "X: a\rb", "X: a\r", "X: a\rY: b", "X: a\n\rY: b",
        "Transfer-Encoding : chunked", "Content-Length : 5",
      ], .refused(400), newer: .page(400), withField)
    + cases(
      "field",
      [
        ": a", "X: a\0b", "X: a\r\n b", "X: a\r\n\tb", "X: a\r\n  \r\nY: b", "X: a\nY: b", "\0Content-Length: 5",
      ], .served, newer: .page(400), withField)
    // A bare LF that hides a field.
    + cases("field", ["X: a\nTransfer-Encoding: chunked"], .silence, newer: .page(400), withField)
    + cases(
      "field",
      [
        "Expect: 200-ok", "Expect: 100-continue", "Expect: 100-continued", "Expect: ", "Expect: 100-continue, 200-ok",
      ], .refused(417), withField)
    + cases("field", ["GET / HTTP/1.1\r\n Host: h\r\n\r\n"], .refused(400), newer: .page(400)) { $0 }
    + cases(
      "field", ["GET / HTTP/1.1\r\nHost: h\r\n\n", "GET / HTTP/1.1\nHost: h\n\n"], .served, newer: .page(400)
    ) { $0 }
    + cases("field", ["GET / HTTP/1.1\r\nHost: h\r\n\r\r\n"], .page(400)) { $0 }

  private static func withFields(_ fields: String) -> String { "GET / HTTP/1.1\r\n\(fields)\r\n\r\n" }

  private static let hosts =
    cases(
      "host",
      [
        "Host: h\r\nHost: h", "Host: h\r\nHost: i", "Host: h i", "Host: h/i", "Host: u@h", "Host: h, i",
        "Host: \"h\"", "Host: h\u{E9}", "Host:", "Host: :80", "Host: h:x", "Host: h:65536", "Host: h:1:2",
        "Host: [::1", "Host: []", "Host: [::1]x",
      ], .refused(400), withFields)
    + cases("host", ["X: a"], .refused(400), newer: .page(400), withFields)
}
