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
    requestLines + versions + targets + fields + hosts + lengths + framings + codings + chunks + limits + fine

  /// Cases with an expectation before libmicrohttpd 1.0, and one from then on.
  private typealias Cases = [(name: String, text: String, older: Expectation, newer: Expectation)]

  private static func cases(_ kind: String, _ cases: Cases, _ request: (String) -> String) -> [RequestCase] {
    cases.map { RequestCase("\(kind): \($0.name)", request($0.text), $0.older, newer: $0.newer) }
  }

  /// Makes cases with one expectation, which are named after their texts.
  private static func cases(
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

  private static let smuggled = "GET /smuggled HTTP/1.1\r\nHost: h\r\n\r\n"

  private static func withLength(_ length: String) -> String {
    "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: \(length)\r\n\r\nabcde" + smuggled
  }

  private static let lengths =
    cases(
      "length", ["+5", "-5", "5,5", "5, 5", "5 5", "0x5", "5x", "x", "", "5.0", "5e1", "\u{661}", "\"5\""],
      .twice(400), newer: .page(400), withLength)
    + cases("length", ["5\r\n 5", "\r\n 5", "5\r\n\t6"], .refused(400), newer: .page(400), withLength)
    + cases(
      "length", ["501", "00000000501", "9223372036854775807", "9223372036854775808"], .refused(413), withLength)
    + cases(
      "length", ["18446744073709551621", "99999999999999999999999999999999999999"], .twice(413), newer: .page(413),
      withLength)

  private static func withFraming(_ fields: String) -> String {
    "POST / HTTP/1.1\r\nHost: h\r\n\(fields)\r\n\r\nabcde" + smuggled
  }

  private static let framings =
    cases(
      "framing",
      [
        "Content-Length: 5\r\nContent-Length: 5", "Content-Length: 5\r\nContent-Length: 6",
        "Content-Length: 0\r\ncontent-length: 0", "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked",
        "Transfer-Encoding: chunked\r\nTransfer-Encoding: identity",
      ], .refused(400), withFraming)
    + cases(
      "framing",
      [
        "Content-Length: 5\r\nTransfer-Encoding: chunked", "Transfer-Encoding: chunked\r\nContent-Length: 5",
        "Content-Length: 5\r\nTransfer-Encoding: gzip", "Content-Length: x\r\nTransfer-Encoding: chunked",
      ], .refused(400), newer: .page(400), withFraming)

  private static func withCoding(_ coding: String) -> String {
    "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: \(coding)\r\n\r\n0\r\n\r\n" + smuggled
  }

  private static let codings =
    cases(
      "coding",
      [
        "gzip", "identity", "chunked, chunked", "gzip, chunked", "chunked;q=1", "\"chunked\"", "xchunked", "",
        "chunke",
      ], .refused(501), newer: .page(400), withCoding)
    + cases("coding", ["chunked ", "chunked\t"], .refused(501), newer: .closed, withCoding)
    + cases(
      "coding", ["chunked\r\n , identity", "\r\n chunked", "chunked\r\n identity"], .refused(400),
      newer: .page(400), withCoding) + [
      RequestCase(
        "coding: chunked in HTTP/1.0",
        "POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n" + smuggled, .refused(400))
    ]

  private static func chunked(_ body: String) -> String {
    "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n" + body
  }

  private static func withChunks(_ chunks: String) -> String { chunked(chunks + smuggled) }

  private static let chunks =
    cases(
      "chunk",
      [
        "x\r\n", "\r\n", "+5\r\nabcde\r\n0\r\n\r\n", "0x5\r\nabcde\r\n0\r\n\r\n", " 5\r\nabcde\r\n0\r\n\r\n",
        "5 \r\nabcde\r\n0\r\n\r\n", "4\r\nabcde\r\n0\r\n\r\n", "5\rabcde\r\n0\r\n\r\n", "5\r\nabcde0\r\n\r\n",
        "5;a\n\r\nabcde\r\n0\r\n\r\n", "5 a\r\nabcde\r\n0\r\n\r\n", "0\r\nX\r\n\r\n", "0\r\n\r\r\n",
      ], .page(400), withChunks)
    + cases(
      "chunk",
      [
        "6\r\nabcde\r\n0\r\n\r\n", "5\nabcde\r\n0\r\n\r\n", "5\r\nabcde\n0\r\n\r\n", "5;a\0\r\nabcde\r\n0\r\n\r\n",
        "5;a\nabcde\r\n0\r\n\r\n", "0\r\n\n", "0\r\nX: a\r\n b\r\n\r\n", "0\r\nX: \0\r\n\r\n",
        "0\r\nX: a\nY: b\r\n\r\n", "0\r\nX : a\r\n\r\n",
      ], .closed, newer: .page(400), withChunks)
    + cases(
      "chunk",
      [
        "00000000000000005\r\nabcde\r\n0\r\n\r\n", "5\r\nabcde\r\n0\r\n\r\n", "0\r\nContent-Length: 7\r\n\r\n",
      ], .closed, withChunks)
    + cases(
      "chunk",
      [
        ("a size of 2⁶³", "8000000000000000\r\n", .silence, .silence),
        ("a size of 2⁶³-1", "7fffffffffffffff\r\n", .silence, .silence),
        ("a size beyond the limit", "1f5\r\n", .silence, .silence),
        (
          "data beyond the limit",
          "1f4\r\n\(String(repeating: "x", count: 500))\r\n1\r\nx\r\n0\r\n\r\n",
          .refused(413), .refused(413)
        ),
        ("data far beyond it", "200000\r\n\(String(repeating: "x", count: 1_500_000))", .silence, .silence),
        ("an endless extension", "1;" + String(repeating: "x", count: 5_000), .silence, .silence),
        ("endless trailers", "0\r\n" + String(repeating: "X: a\r\n", count: 1_000), .page(431), .page(431)),
        ("CHUNKED", "5\r\nabcde\r\n0\r\n\r\n", .closed, .closed),
        ("extensions", "5;a=\"b;c\"\r\nabcde\r\n00;x\r\n\r\n", .closed, .page(400)),
        ("sixteen digits", "000000000000000A\r\nabcdefghij\r\n0\r\n\r\n", .closed, .closed),
      ]
    ) { chunked($0) }

  private static func get(target: Int) -> String {
    "GET /\(String(repeating: "a", count: target - 1)) HTTP/1.1\r\nHost: h\r\n\r\n"
  }

  /// A head whose field lines have this many bytes.
  private static func get(headerBytes: Int) -> String {
    "GET / HTTP/1.1\r\nHost: h\r\nX: \(String(repeating: "a", count: headerBytes - 9 - 5))\r\n\r\n"
  }

  private static func get(fields: Int) -> String {
    "GET / HTTP/1.1\r\nHost: h\r\n" + String(repeating: "X: a\r\n", count: fields - 1) + "\r\n"
  }

  private static func post(length: Int) -> String {
    "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: \(length)\r\n\r\n" + String(repeating: "x", count: length)
  }

  private static let limits = cases(
    "limit",
    [
      ("target", get(target: CaseLimits.target), .served, .served),
      ("target, one past it", get(target: CaseLimits.target + 1), .refused(414), .refused(414)),
      ("a target without end", "GET /" + String(repeating: "a", count: 60_000), .page(414), .page(414)),
      ("a method without end", String(repeating: "A", count: 60_000), .page(414), .silence),
      (
        "a method of 100 bytes",
        String(repeating: "M", count: 100) + " / HTTP/1.1\r\nHost: h\r\n\r\n",
        .served, .served
      ),
      (
        "a thousand query items",
        "GET /?\(String(repeating: "a&", count: 1_000)) HTTP/1.1\r\nHost: h\r\n\r\n",
        .silence, .page(431)
      ),
      ("header bytes", get(headerBytes: CaseLimits.headerBytes), .served, .served),
      ("header bytes, one past it", get(headerBytes: CaseLimits.headerBytes + 1), .refused(431), .refused(431)),
      ("a field without end", "GET / HTTP/1.1\r\nX: " + String(repeating: "a", count: 60_000), .page(431), .page(431)),
      (
        "a field's name without end",
        "GET / HTTP/1.1\r\n" + String(repeating: "a", count: 60_000),
        .page(431), .page(431)
      ),
      ("header fields", get(fields: CaseLimits.headerFields), .served, .served),
      ("header fields, one past it", get(fields: CaseLimits.headerFields + 1), .refused(431), .refused(431)),
      ("body", post(length: CaseLimits.body), .served, .served),
      ("body, one past it", post(length: CaseLimits.body + 1), .refused(413), .refused(413)),
    ]
  ) { $0 }

  private static let fine =
    cases(
      "fine",
      [
        ("an empty line before it", "\r\nGET / HTTP/1.1\r\nHost: h\r\n\r\n", .served, .served),
        ("HTTP/1.2", "GET / HTTP/1.2\r\nHost: h\r\n\r\n", .served, .served),
        ("HTTP/1.0", "GET / HTTP/1.0\r\n\r\n", .closed, .closed),
        ("HTTP/1.0 that is kept", "GET / HTTP/1.0\r\nConnection: Keep-Alive\r\n\r\n", .served, .served),
        (
          "HTTP/1.0 with an expectation",
          "GET / HTTP/1.0\r\nExpect: bread\r\nConnection: keep-alive\r\n\r\n",
          .served, .served
        ),
        ("HTTP/1.1 that closes", "GET / HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n", .closed, .closed),
        (
          "close among others",
          "GET / HTTP/1.1\r\nHost: h\r\nConnection: te , Close,keep-alive\r\n\r\n",
          .closed, .closed
        ),
        ("a Host with a port", "GET / HTTP/1.1\r\nHost: [::1]:8080\r\n\r\n", .served, .served),
        ("a Host with an empty port", "GET / HTTP/1.1\r\nHost: h.example:\r\n\r\n", .served, .served),
        ("white space around a value", "GET / HTTP/1.1\r\nHost:\t h \t\r\nX:\r\nY: \r\n\r\n", .served, .served),
        ("a target beyond ASCII", "GET /\u{E9}%C3%A9?%41 HTTP/1.1\r\nHost: h\r\n\r\n", .served, .served),
        (
          "a length with zeros before it",
          "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 0005\r\n\r\nabcde",
          .served, .served
        ),
        ("GET with a body", "GET / HTTP/1.1\r\nHost: h\r\nContent-Length: 5\r\n\r\nabcde", .served, .served),
      ]
    ) { $0 } + [
      RequestCase(
        "fine: bytes beyond ASCII in a value",
        Array("GET / HTTP/1.1\r\nHost: h\r\nX: ".utf8) + [0xE9, 0xFF] + Array("\r\n\r\n".utf8), .served)
    ]
}
