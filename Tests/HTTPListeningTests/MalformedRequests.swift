// SPDX-License-Identifier: MIT

import Testing

/// A request and what must come of it.
struct RequestCase: Sendable, CustomTestStringConvertible {
  enum Expectation: Sendable, Equatable {
    /// It is answered with this status, and its connection is kept.
    case kept(Int)
    /// It is answered with this status, and its connection is closed.
    case closed(Int)
  }

  let name: String
  let bytes: [UInt8]
  let expectation: Expectation

  var testDescription: String { name }

  init(_ name: String, _ text: String, _ expectation: Expectation) {
    self.init(name, Array(text.utf8), expectation)
  }

  init(_ name: String, _ bytes: [UInt8], _ expectation: Expectation) {
    self.name = name
    self.bytes = bytes
    self.expectation = expectation
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
  static let all = requestLines + versions + fields + lengths + codings + chunks + expectations + limits + fine

  private static let requestLines =
    [
      ("no target", "GET HTTP/1.1\r\n"), ("HTTP/0.9", "GET /\r\n"), ("nothing but a method", "GET\r\n"),
      ("two spaces before the target", "GET  / HTTP/1.1\r\n"), ("two spaces behind it", "GET /  HTTP/1.1\r\n"),
      ("a space at the end", "GET / HTTP/1.1 \r\n"), ("a space before the method", " GET / HTTP/1.1\r\n"),
      ("tabs for spaces", "GET\t/\tHTTP/1.1\r\n"), ("a space in the target", "GET /a b HTTP/1.1\r\n"),
      ("a tab in the target", "GET /a\tb HTTP/1.1\r\n"), ("a NUL in the target", "GET /a\0b HTTP/1.1\r\n"),
      ("DEL in the target", "GET /a\u{7F}b HTTP/1.1\r\n"), ("a NUL in the method", "GE\0T / HTTP/1.1\r\n"),
      ("a method that is no token", "G(T / HTTP/1.1\r\n"), ("no method", " / HTTP/1.1\r\n"),
      ("a method of 33 bytes", String(repeating: "M", count: 33) + " / HTTP/1.1\r\n"),
      ("HTTP in small letters", "GET / http/1.1\r\n"), ("another protocol", "GET / HTTQ/1.1\r\n"),
      ("a version of one digit", "GET / HTTP/1\r\n"), ("a version of three digits", "GET / HTTP/1.10\r\n"),
      ("a sign in the version", "GET / HTTP/+1.1\r\n"), ("no point in the version", "GET / HTTP/1,1\r\n"),
      ("letters in the version", "GET / HTTP/1.x\r\n"), ("a bare CR in the line", "GET /\rHTTP/1.1\r\n"),
      ("two empty lines before it", "\r\n\r\nGET / HTTP/1.1\r\n"),
      ("an empty line of LF before it", "\nGET / HTTP/1.1\r\n"),
      ("a hello of TLS", "\u{16}\u{3}\u{1}\u{2}\0\u{1}"), ("JSON", "{\"a\":1}\r\n"),
      ("a response", "HTTP/1.1 200 OK\r\n"),
    ].map { RequestCase("request line: \($0)", $1 + "Host: h\r\n\r\n", .closed(400)) }

  /// RFC 9110 §15.6.6. A minor version that is not known is understood as the last that is (§2.5): below, it is fine.
  private static let versions =
    [
      ("HTTP/2.0", "GET / HTTP/2.0\r\n"), ("HTTP/3.1", "GET / HTTP/3.1\r\n"), ("HTTP/9.9", "GET / HTTP/9.9\r\n"),
      ("HTTP/0.9 by its name", "GET / HTTP/0.9\r\n"), ("the preface of HTTP/2", "PRI * HTTP/2.0\r\n\r\nSM\r\n"),
    ].map { RequestCase("version: \($0)", $1 + "Host: h\r\n\r\n", .closed(505)) }

  private static let fields =
    [
      ("no colon", "X"), ("nothing before the colon", ": a"), ("a space before the colon", "X : a"),
      ("a tab before the colon", "X\t: a"), ("a space in the name", "X Y: a"), ("a NUL in the name", "X\0: a"),
      ("a name that is no token", "X(Y): a"), ("a name beyond ASCII", "X\u{E9}: a"), ("a NUL in the value", "X: a\0b"),
      ("a bare CR in the value", "X: a\rb"), ("a bare CR at its end", "X: a\r"), ("a bell in the value", "X: \u{7}"),
      ("DEL in the value", "X: \u{7F}"), ("an escape in the value", "X: a\u{1B}[2J"),
      ("a fold by a space", "X: a\r\n b"), ("a fold by a tab", "X: a\r\n\tb"),
      ("a fold of white space alone", "X: a\r\n  \r\nY: b"), ("a bare LF between fields", "X: a\nY: b"),
      ("a bare CR between fields", "X: a\rY: b"), ("LF before CR", "X: a\n\rY: b"),
      ("a bare LF that hides a field", "X: a\nTransfer-Encoding: chunked"), ("two Hosts", "Host: h"),
      ("two different Hosts", "Host: i"), ("a chunked coding behind a space", "Transfer-Encoding : chunked"),
      ("a length behind a space", "Content-Length : 5"), ("a length behind a NUL", "\0Content-Length: 5"),
    ].map { RequestCase("field: \($0)", "POST / HTTP/1.1\r\nHost: h\r\n\($1)\r\n\r\n", .closed(400)) } + [
      RequestCase("field: a fold before any", "GET / HTTP/1.1\r\n Host: h\r\n\r\n", .closed(400)),
      RequestCase("field: the empty line of LF", "GET / HTTP/1.1\r\nHost: h\r\n\n", .closed(400)),
      RequestCase("field: every line of LF", "GET / HTTP/1.1\nHost: h\n\n", .closed(400)),
      RequestCase("field: the empty line of CR CR LF", "GET / HTTP/1.1\r\nHost: h\r\n\r\r\n", .closed(400)),
    ]

  private static let smuggled = "GET /smuggled HTTP/1.1\r\nHost: h\r\n\r\n"

  private static let lengths =
    [
      ("+5", 400), ("-5", 400), ("5,5", 400), ("5, 5", 400), ("5 5", 400), ("0x5", 400), ("5x", 400), ("x", 400),
      ("", 400), ("5.0", 400), ("5e1", 400), ("\u{661}", 400), ("\"5\"", 400), ("501", 413), ("00000000501", 413),
      ("9223372036854775807", 413), ("9223372036854775808", 413), ("18446744073709551621", 413),
      ("99999999999999999999999999999999999999", 413),
    ].map {
      RequestCase("length: \($0)", "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: \($0)\r\n\r\nabcde", .closed($1))
    }
    + [
      ("given twice", "Content-Length: 5\r\nContent-Length: 5"),
      ("two different", "Content-Length: 5\r\nContent-Length: 6"),
      ("of nothing, twice", "Content-Length: 0\r\ncontent-length: 0"),
      ("and chunked", "Content-Length: 5\r\nTransfer-Encoding: chunked"),
      ("and chunked before it", "Transfer-Encoding: chunked\r\nContent-Length: 5"),
      ("and gzip", "Content-Length: 5\r\nTransfer-Encoding: gzip"),
      ("chunked twice", "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked"),
      ("chunked and identity", "Transfer-Encoding: chunked\r\nTransfer-Encoding: identity"),
    ].map {
      RequestCase("length: \($0)", "POST / HTTP/1.1\r\nHost: h\r\n\($1)\r\n\r\nabcde" + smuggled, .closed(400))
    }

  private static let codings =
    ["gzip", "identity", "chunked, chunked", "gzip, chunked", "chunked;q=1", "\"chunked\"", "xchunked", "", "chunke"]
    .map {
      RequestCase(
        "coding: \($0)", "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: \($0)\r\n\r\n0\r\n\r\n" + smuggled,
        .closed(501))
    }
    + [
      RequestCase(
        "coding: chunked in HTTP/1.0", "POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", .closed(400))
    ]

  private static func chunked(_ body: String) -> String {
    "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n" + body
  }

  private static let chunks =
    [
      ("a size that is no number", "x\r\n"), ("no size", "\r\n"), ("a sign", "+5\r\nabcde\r\n0\r\n\r\n"),
      ("0x", "0x5\r\nabcde\r\n0\r\n\r\n"), ("a space before the size", " 5\r\nabcde\r\n0\r\n\r\n"),
      ("a space behind the size", "5 \r\nabcde\r\n0\r\n\r\n"), ("data that is longer", "4\r\nabcde\r\n0\r\n\r\n"),
      ("data that is shorter", "6\r\nabcde\r\n0\r\n\r\n"), ("LF behind the size", "5\nabcde\r\n0\r\n\r\n"),
      ("LF behind the data", "5\r\nabcde\n0\r\n\r\n"), ("CR behind the size", "5\rabcde\r\n0\r\n\r\n"),
      ("nothing behind the data", "5\r\nabcde0\r\n\r\n"),
      ("a size of 17 digits", "00000000000000005\r\nabcde\r\n0\r\n\r\n"),
      ("a NUL in an extension", "5;a\0\r\nabcde\r\n0\r\n\r\n"), ("LF in an extension", "5;a\n\r\nabcde\r\n0\r\n\r\n"),
      ("an extension without a semicolon", "5 a\r\nabcde\r\n0\r\n\r\n"), ("LF at the end", "0\r\n\n"),
      ("a trailer without a colon", "0\r\nX\r\n\r\n"), ("a folded trailer", "0\r\nX: a\r\n b\r\n\r\n"),
      ("a NUL in a trailer", "0\r\nX: \0\r\n\r\n"), ("a bare LF in a trailer", "0\r\nX: a\nY: b\r\n\r\n"),
      ("a space before a trailer's colon", "0\r\nX : a\r\n\r\n"), ("CR CR at the end", "0\r\n\r\r\n"),
    ].map { RequestCase("chunk: \($0)", chunked($1 + smuggled), .closed(400)) }
    + [
      RequestCase("chunk: a size of 2⁶³", chunked("8000000000000000\r\n"), .closed(400)),
      RequestCase("chunk: a size of 2⁶³-1", chunked("7fffffffffffffff\r\n"), .closed(413)),
      RequestCase("chunk: a size beyond the limit", chunked("1f5\r\n"), .closed(413)),
      RequestCase(
        "chunk: data beyond the limit", chunked("1f4\r\n\(String(repeating: "x", count: 500))\r\n1\r\nx\r\n0\r\n\r\n"),
        .closed(413)),
      RequestCase(
        "chunk: an endless extension", chunked("1;" + String(repeating: "x", count: 5_000)), .closed(431)),
      RequestCase(
        "chunk: endless trailers", chunked("0\r\n" + String(repeating: "X: a\r\n", count: 1_000)), .closed(431)),
    ]

  private static let expectations = ["100-continued", "200-ok", "", "100-continue, 200-ok"].map {
    RequestCase(
      "expectation: \($0)", "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 5\r\nExpect: \($0)\r\n\r\nabcde",
      .closed(417))
  }

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

  private static let limits = [
    RequestCase("limit: target", get(target: CaseLimits.target), .kept(200)),
    RequestCase("limit: target, one past it", get(target: CaseLimits.target + 1), .closed(414)),
    RequestCase("limit: a target without end", "GET /" + String(repeating: "a", count: 60_000), .closed(414)),
    RequestCase("limit: a method without end", String(repeating: "A", count: 60_000), .closed(400)),
    RequestCase("limit: header bytes", get(headerBytes: CaseLimits.headerBytes), .kept(200)),
    RequestCase("limit: header bytes, one past it", get(headerBytes: CaseLimits.headerBytes + 1), .closed(431)),
    RequestCase(
      "limit: a field without end", "GET / HTTP/1.1\r\nX: " + String(repeating: "a", count: 60_000), .closed(431)),
    RequestCase(
      "limit: a field's name without end", "GET / HTTP/1.1\r\n" + String(repeating: "a", count: 60_000), .closed(431)),
    RequestCase("limit: header fields", get(fields: CaseLimits.headerFields), .kept(200)),
    RequestCase("limit: header fields, one past it", get(fields: CaseLimits.headerFields + 1), .closed(431)),
    RequestCase("limit: body", post(length: CaseLimits.body), .kept(200)),
    RequestCase("limit: body, one past it", post(length: CaseLimits.body + 1), .closed(413)),
    RequestCase("limit: a method of 32 bytes", String(repeating: "M", count: 32) + " / HTTP/1.1\r\n\r\n", .kept(200)),
  ]

  private static let fine = [
    RequestCase("fine: an empty line before it", "\r\nGET / HTTP/1.1\r\nHost: h\r\n\r\n", .kept(200)),
    RequestCase("fine: HTTP/1.2", "GET / HTTP/1.2\r\nHost: h\r\n\r\n", .kept(200)),
    RequestCase("fine: HTTP/1.0", "GET / HTTP/1.0\r\n\r\n", .closed(200)),
    RequestCase("fine: HTTP/1.0 that is kept", "GET / HTTP/1.0\r\nConnection: Keep-Alive\r\n\r\n", .kept(200)),
    RequestCase(
      "fine: HTTP/1.0 with an expectation", "GET / HTTP/1.0\r\nExpect: bread\r\nConnection: keep-alive\r\n\r\n",
      .kept(200)),
    RequestCase("fine: HTTP/1.1 that closes", "GET / HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n", .closed(200)),
    RequestCase(
      "fine: close among others", "GET / HTTP/1.1\r\nHost: h\r\nConnection: te , Close,keep-alive\r\n\r\n", .closed(200)
    ),
    RequestCase("fine: no Host", "GET / HTTP/1.1\r\n\r\n", .kept(200)),
    RequestCase("fine: white space around a value", "GET / HTTP/1.1\r\nHost:\t h \t\r\nX:\r\nY: \r\n\r\n", .kept(200)),
    RequestCase(
      "fine: bytes beyond ASCII in a value",
      Array("GET / HTTP/1.1\r\nX: ".utf8) + [0xE9, 0xFF] + Array("\r\n\r\n".utf8), .kept(200)),
    RequestCase(
      "fine: a length with zeros before it", "POST / HTTP/1.1\r\nContent-Length: 0005\r\n\r\nabcde", .kept(200)),
    RequestCase(
      "fine: CHUNKED", "POST / HTTP/1.1\r\ntransfer-encoding:CHUNKED\r\n\r\n5\r\nabcde\r\n0\r\n\r\n", .kept(200)),
    RequestCase(
      "fine: extensions and trailers", chunked("5 \t; a=\"b;c\"\r\nabcde\r\n00;x\r\nX: a\r\nContent-Length: 7\r\n\r\n"),
      .kept(200)),
    RequestCase("fine: a chunk of sixteen digits", chunked("000000000000000A\r\nabcdefghij\r\n0\r\n\r\n"), .kept(200)),
    RequestCase("fine: GET with a body", "GET / HTTP/1.1\r\nHost: h\r\nContent-Length: 5\r\n\r\nabcde", .kept(200)),
  ]
}
