// SPDX-License-Identifier: MIT
import Buffers
import Testing

@testable import HTTPListening

@Suite struct ResponseHeadTests {
  private func head(
    _ response: HTTPResponse, _ body: ResponseHead.Body, _ persistence: ResponseHead.Persistence = .kept,
    isHead: Bool = false
  ) -> String? {
    var output = Buffer<UInt8>()
    let wasWritten = Array("Date: now\r\nX-Common: yes\r\n".utf8).withUnsafeBufferPointer {
      ResponseHead.write(
        response, body, common: $0, more: [HTTPField("X-More", "too")], persistence, isHead: isHead, to: &output)
    }
    return wasWritten ? String(decoding: output.elements, as: UTF8.self) : nil
  }

  private func response(_ status: Int) -> HTTPResponse {
    HTTPResponse(status: status, fields: [HTTPField("X-Own", "é")], body: [])
  }

  private let start = "Date: now\r\nX-Common: yes\r\n"
  private let fields = "X-More: too\r\nX-Own: é\r\n"

  @Test func `a response is its status, its date, all fields, its length and its body`() {
    #expect(
      head(response(200), .bytes(Array("body".utf8)))
        == "HTTP/1.1 200 OK\r\n\(start)\(fields)Content-Length: 4\r\n\r\nbody")
    #expect(
      head(response(503), .bytes([]), .closing)
        == "HTTP/1.1 503 Service Unavailable\r\n\(start)Connection: close\r\n\(fields)Content-Length: 0\r\n\r\n")
    #expect(
      head(response(201), .bytes(Array(repeating: 0x78, count: 1_234)), .keptOnRequest, isHead: true)
        == "HTTP/1.1 201 Created\r\n\(start)Connection: Keep-Alive\r\n\(fields)Content-Length: 1234\r\n\r\n")
  }

  @Test func `what it is and its tag have lines of their own, and a tag that would end its line is not sent`() {
    var shown = response(200)
    shown.contentType = "text/x"
    shown.entityTag = "k7.1"
    let lines = "Content-Type: text/x\r\nX-More: too\r\nX-Own: é\r\nETag: \"k7.1\"\r\n"
    #expect(head(shown, .bytes([])) == "HTTP/1.1 200 OK\r\n\(start)\(lines)Content-Length: 0\r\n\r\n")
    for bad in ["k7\r\nX: 1", "a\"b", "a b", "\u{7F}"] {
      shown.entityTag = bad
      #expect(head(shown, .bytes([])) == nil)
    }
  }

  // RFC 9110 §8.6, §15.3.5, §15.4.5: another length in a 304 would be the length of nothing.
  @Test func `what has no content has no body, and a length only where it describes one`() {
    let start = start + fields
    #expect(head(response(204), .bytes([0x78])) == "HTTP/1.1 204 No Content\r\n\(start)\r\n")
    #expect(head(response(304), .bytes([])) == "HTTP/1.1 304 Not Modified\r\n\(start)\r\n")
    #expect(head(response(304), .bytes([0x78])) == "HTTP/1.1 304 Not Modified\r\n\(start)Content-Length: 1\r\n\r\n")
  }

  @Test func `a stream says whether it is in chunks`() {
    let start = "HTTP/1.1 200 OK\r\n" + start
    #expect(
      head(response(200), .streamed(inChunks: true)) == "\(start)\(fields)Transfer-Encoding: chunked\r\n\r\n")
    #expect(
      head(response(200), .streamed(inChunks: false), .closing) == "\(start)Connection: close\r\n\(fields)\r\n")
  }

  @Test(arguments: 0..<0x20 as Range<UInt8>)
  func `nothing is written of a response with a control character in a value, but for the tab`(byte: UInt8) {
    let value = "a\(Character(UnicodeScalar(byte)))b"
    let bad = HTTPResponse(status: 200, fields: [HTTPField("X-A", "fine"), HTTPField("X-B", value)], body: [])
    #expect((head(bad, .bytes([])) == nil) == (byte != 9))
  }

  @Test(arguments: [
    (0, "Thu, 01 Jan 1970 00:00:00 GMT"), (784_111_777, "Sun, 06 Nov 1994 08:49:37 GMT"),
    (1_709_210_096, "Thu, 29 Feb 2024 12:34:56 GMT"), (4_102_444_799, "Thu, 31 Dec 2099 23:59:59 GMT"),
  ])
  func `the date is as RFC 9110 §5·6·7 has it`(second: Int, date: String) {
    #expect(String(decoding: CommonLines.date(at: second), as: UTF8.self) == "Date: \(date)\r\n")
  }
}
