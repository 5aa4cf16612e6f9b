// SPDX-License-Identifier: MIT

/// Requests with bodies, and those at the limits.
extension RequestCase {
  private static let smuggled = "GET /smuggled HTTP/1.1\r\nHost: h\r\n\r\n"

  private static func withLength(_ length: String) -> String {
    "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: \(length)\r\n\r\nabcde" + smuggled
  }

  static let lengths =
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

  static let framings =
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

  /// Fields that 0.9.75 makes of two lines. No program that uses it can tell them from others.
  static let folds =
    cases("a fold that makes a field", ["Ho: h\r\n st"], .served, newer: .page(400)) {
      "GET / HTTP/1.1\r\n\($0)\r\n\r\n"
    }
    + cases("a fold that makes a field", ["Content-: \(smuggled.utf8.count)\r\n Length"], .served, newer: .page(400)) {
      "POST / HTTP/1.1\r\nHost: h\r\n\($0)\r\n\r\n" + smuggled
    }
    + cases("a fold that makes a field", ["Transfer-: chunked\r\n\tEncoding"], .closed, newer: .page(400)) {
      "POST / HTTP/1.1\r\nHost: h\r\n\($0)\r\n\r\n0\r\n\r\n" + smuggled
    }

  private static func withCoding(_ coding: String) -> String {
    "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: \(coding)\r\n\r\n0\r\n\r\n" + smuggled
  }

  static let codings =
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

  static let chunks =
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
      named: [
        "a size of 2⁶³": "8000000000000000\r\n", "a size of 2⁶³-1": "7fffffffffffffff\r\n",
        "a size beyond the limit": "1f5\r\n",
        "data far beyond it": "200000\r\n\(String(repeating: "x", count: 1_500_000))",
        "an endless extension": "1;" + String(repeating: "x", count: 5_000),
      ], .silence, chunked)
    + cases(
      "chunk",
      named: ["data beyond the limit": "1f4\r\n\(String(repeating: "x", count: 500))\r\n1\r\nx\r\n0\r\n\r\n"],
      .refused(413), chunked)
    + cases(
      "chunk", named: ["endless trailers": "0\r\n" + String(repeating: "X: a\r\n", count: 1_000)], .page(431), chunked)
    + cases(
      "chunk",
      named: [
        "data of the limit": "1f4\r\n\(String(repeating: "x", count: 500))\r\n0\r\n\r\n",
        "CHUNKED": "5\r\nabcde\r\n0\r\n\r\n", "sixteen digits": "000000000000000A\r\nabcdefghij\r\n0\r\n\r\n",
      ], .closed, chunked)
    + cases(
      "chunk", named: ["extensions": "5;a=\"b;c\"\r\nabcde\r\n00;x\r\n\r\n"], .closed, newer: .page(400), chunked)

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

  static let limits =
    cases(
      "limit",
      named: [
        "target": get(target: CaseLimits.target), "header bytes": get(headerBytes: CaseLimits.headerBytes),
        "header fields": get(fields: CaseLimits.headerFields), "body": post(length: CaseLimits.body),
        "a method of 100 bytes": String(repeating: "M", count: 100) + " / HTTP/1.1\r\nHost: h\r\n\r\n",
      ], .served)
    + cases("limit", named: ["target, one past it": get(target: CaseLimits.target + 1)], .refused(414))
    + cases(
      "limit",
      named: [
        "header bytes, one past it": get(headerBytes: CaseLimits.headerBytes + 1),
        "header fields, one past it": get(fields: CaseLimits.headerFields + 1),
      ], .refused(431))
    + cases(
      "limit",
      named: [
        "body, one past it": post(length: CaseLimits.body + 1),
        "body, one past it, of a client that asks first":
          "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: \(CaseLimits.body + 1)\r\nExpect: 100-continue\r\n\r\n",
      ], .refused(413))
    + cases("limit", named: ["a target without end": "GET /" + endless], .page(414))
    + cases("limit", named: ["a method without end": endless], .page(414), newer: .silence)
    + cases(
      "limit",
      named: ["a thousand query items": "GET /?\(String(repeating: "a&", count: 1_000)) HTTP/1.1\r\nHost: h\r\n\r\n"],
      .silence, newer: .page(431))
    + cases(
      "limit",
      named: [
        "a field without end": "GET / HTTP/1.1\r\nX: " + endless,
        "a field's name without end": "GET / HTTP/1.1\r\n" + endless,
      ], .page(431))

  private static let endless = String(repeating: "A", count: 60_000)

  static let fine =
    cases(
      "fine",
      named: [
        "an empty line before it": "\r\nGET / HTTP/1.1\r\nHost: h\r\n\r\n",
        "HTTP/1.2": "GET / HTTP/1.2\r\nHost: h\r\n\r\n",
        "HTTP/1.0 that is kept": "GET / HTTP/1.0\r\nConnection: Keep-Alive\r\n\r\n",
        "HTTP/1.0 with an expectation": "GET / HTTP/1.0\r\nExpect: bread\r\nConnection: keep-alive\r\n\r\n",
        "a Host with a port": "GET / HTTP/1.1\r\nHost: [::1]:8080\r\n\r\n",
        "a Host with an empty port": "GET / HTTP/1.1\r\nHost: h.example:\r\n\r\n",
        "white space around a value": "GET / HTTP/1.1\r\nHost:\t h \t\r\nX:\r\nY: \r\n\r\n",
        "a target beyond ASCII": "GET /\u{E9}%C3%A9?%41 HTTP/1.1\r\nHost: h\r\n\r\n",
        "a length with zeros before it": "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 0005\r\n\r\nabcde",
        "GET with a body": "GET / HTTP/1.1\r\nHost: h\r\nContent-Length: 5\r\n\r\nabcde",
      ], .served)
    + cases(
      "fine",
      named: [
        "HTTP/1.0": "GET / HTTP/1.0\r\n\r\n",
        "HTTP/1.1 that closes": "GET / HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n",
        "close among others": "GET / HTTP/1.1\r\nHost: h\r\nConnection: te , Close,keep-alive\r\n\r\n",
      ], .closed) + [
      RequestCase(
        "fine: bytes beyond ASCII in a value",
        Array("GET / HTTP/1.1\r\nHost: h\r\nX: ".utf8) + [0xE9, 0xFF] + Array("\r\n\r\n".utf8), .served)
    ]
}
