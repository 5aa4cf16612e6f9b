// SPDX-License-Identifier: MIT
import Testing

@testable import EuripusServer

@Suite struct `A request target` {
  private static let a = UInt8(ascii: "a")

  @Test func `is none with a control character, or with bytes that are not UTF-8, at any place`() {
    for length in 1...20 {
      for position in 0..<length {
        for byte in UInt8.min...UInt8.max {
          var path = [UInt8](repeating: Self.a, count: length)
          path[position] = byte
          let digits = String(byte, radix: 16)
          let encoded = "%" + (digits.utf8.count == 1 ? "0" : "") + digits
          let before = String(repeating: "a", count: position)
          let after = String(repeating: "a", count: length - position - 1)
          let isVisible = byte >= 0x20 && byte < 0x7F
          let target = RequestTarget("/" + before + encoded + after)
          #expect(target?.segments == (isVisible ? [String(decoding: path, as: UTF8.self)] : nil))
          guard byte < 0x80, !"%/?".utf8.contains(byte) else { continue }
          let plain = RequestTarget("/" + String(decoding: path, as: UTF8.self))
          #expect(plain?.segments == target?.segments, "\(byte) at \(position) of \(length)")
        }
      }
    }
  }

  @Test(arguments: ["/ü/ab%C3%BCcdefghi", "/%C3%BC/abücdefghi", "http://a.example/%c3%bc/ab%c3%bccdefghi"])
  func `has the same segments, encoded or not`(text: String) throws {
    #expect(try #require(RequestTarget(text)).segments == ["ü", "abücdefghi"])
  }

  @Test(arguments: [
    ("/", [""], []), ("/?since=x", [""], ["x"]), ("http://a.example", [""], []),
    ("http://a.example?since=x", [""], ["x"]),
    ("HTTP://a.example:1/a//b/?since=x&since=y", ["a", "", "b", ""], ["x", "y"]), ("/a?b?since=x", ["a"], []),
    ("/a%2Fb", ["a/b"], []),
  ])
  func `has its segments and its query`(text: String, segments: [String], since: [String]) throws {
    let target = try #require(RequestTarget(text))
    #expect(target.segments == segments)
    #expect(target.parameters("since") == since)
  }

  @Test func `may be of https where it came over TLS`() throws {
    let text = "HTTPS://a.example/b"
    #expect(RequestTarget(text) == nil)
    let target = try #require(RequestTarget(text, isSecure: true))
    #expect((target.host, target.segments) == ("a.example", ["b"]))
    #expect(RequestTarget("http://a.example/b", isSecure: true) != nil)
  }

  @Test(arguments: [
    ("/a/b/c%2Fd/e?f/g", 2, "c%2Fd/e"), ("http://a.example/b/c", 1, "c"), ("/a", 0, "a"), ("/a", 1, ""), ("/", 4, ""),
  ])
  func `tells the path as it was sent`(text: String, segment: Int, sent: String) throws {
    #expect(try #require(RequestTarget(text)).path(fromSegment: segment) == sent)
  }

  @Test(arguments: ["", "a", "*", "ftp://a.example/", "/%", "/%4", "/%4g", "/%00", "/%ff"])
  func `is none of another form`(text: String) { #expect(RequestTarget(text) == nil) }
}
