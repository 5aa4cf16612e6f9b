// SPDX-License-Identifier: MIT
@testable import HTTPListening
import Buffers
import Testing

struct RequestReaderTests {
  private static let limits = RequestLimits(
    target: CaseLimits.target, headerBytes: CaseLimits.headerBytes, headerFields: CaseLimits.headerFields,
    body: CaseLimits.body)

  /// What a reader made of bytes that came in pieces: each request as text, and how it ended.
  private struct Reading: Equatable {
    var requests: [String] = []
    var end = RequestReader.Progress.incomplete
  }

  private func read(_ bytes: [UInt8], pieces: (Int) -> Int) -> Reading {
    var reader = RequestReader(limits: Self.limits)
    var reading = Reading()
    var position = 0
    while position < bytes.count {
      var piece = bytes[position..<min(bytes.count, position + pieces(position))]
      position = piece.endIndex
      while !piece.isEmpty {
        let (taken, progress) = piece.withUnsafeBufferPointer { reader.read($0) }
        #expect(taken > 0 && taken <= piece.count)
        piece = piece.dropFirst(taken)
        switch progress {
        case .incomplete: #expect(piece.isEmpty)
        case .complete:
          reading.requests.append(describe(reader))
          reader.next()
        case .refused:
          reading.end = progress
          return reading
        }
      }
    }
    return reading
  }

  private func describe(_ reader: borrowing RequestReader) -> String {
    let head = reader.head
    let target = String(decoding: head.target, as: UTF8.self)
    let values = ["host", "x", "y"].map { name in
      switch name {
      case "host": head.values("host")
      case "x": head.values("x")
      default: head.values("y")
      }
    }
    return
      "\(head.methodName) \(target) \(values) \(head.keepsAlive) \(String(decoding: reader.body.elements, as: UTF8.self))"
  }

  @Test(arguments: RequestCase.all)
  func `however it is cut in two, it is the same`(given: RequestCase) {
    let whole = read(given.bytes) { _ in given.bytes.count }
    let cuts = given.bytes.count < 2_000 ? Array(1..<given.bytes.count) : Array(stride(from: 1, to: 60_000, by: 997))
    for cut in cuts { #expect(read(given.bytes) { $0 == 0 ? cut : given.bytes.count } == whole, "cut at \(cut)") }
    #expect(read(given.bytes) { _ in 1 } == whole)
  }

  @Test(arguments: RequestCase.all)
  func `it is complete or refused, and nothing else`(given: RequestCase) {
    let reading = read(given.bytes) { _ in given.bytes.count }
    switch given.expectation {
    case .kept(200), .closed(200):
      #expect(reading.requests.count == 1)
      #expect(reading.end == .incomplete)
    default:
      #expect(reading.requests.isEmpty)
      guard case .refused = reading.end else {
        Issue.record("not refused: \(reading)")
        return
      }
    }
  }

  @Test func `random bytes and random cuts never break it, and what it keeps is bounded`() {
    let seed = UInt64.random(in: .min ... .max)
    print("RequestReaderTests seed \(seed)")
    var random = Splitmix(state: seed)
    let words = [
      "GET ", "POST ", "/", " HTTP/1.1", "\r\n", "\r\n\r\n", "Host: h", "Content-Length: 5", "abcde", "0\r\n\r\n",
      "Transfer-Encoding: chunked", "5\r\n", ";x", " ", "\t", "\0", ":", "X: y", "\n", "\r",
    ]
    for _ in 0..<20_000 {
      var bytes: [UInt8] = []
      for _ in 0..<Int.random(in: 1...20, using: &random) {
        bytes += Array((words.randomElement(using: &random) ?? "").utf8)
      }
      let whole = read(bytes) { _ in bytes.count }
      let inPieces = read(bytes) { _ in Int.random(in: 1...7, using: &random) }
      // Of several faults, where it was cut may decide which is named.
      #expect(
        whole.requests == inPieces.requests, "seed \(seed): \(String(decoding: bytes, as: UTF8.self).debugDescription)")
      #expect((whole.end == .incomplete) == (inPieces.end == .incomplete), "seed \(seed)")
    }
  }

  @Test(arguments: [1, 15, 16, 17, 31, 32, 33, 48])
  func `a byte that may not stand in a value is found wherever it stands`(length: Int) {
    for byte in 0...255 as ClosedRange<UInt8> {
      let isGood = byte == 0x09 || byte >= 0x20 && byte != 0x7F
      for position in 0..<length {
        var value = [UInt8](repeating: 0x61, count: length)
        value[position] = byte
        #expect(value.withUnsafeBufferPointer(isFieldContent) == isGood, "\(byte) at \(position) of \(length)")
      }
    }
  }

  @Test func `the values of a field are found whatever their name's case`() {
    var reader = RequestReader(limits: Self.limits)
    let text = Array("GET / HTTP/1.1\r\nX: a\r\nx:b\r\nAccept: c, d\r\nX-Long:\t e \t\r\n\r\nrest".utf8)
    let (taken, progress) = text.withUnsafeBufferPointer { reader.read($0) }
    #expect(progress == .complete)
    #expect(taken == text.count - 4)
    #expect(reader.head.values("X") == ["a", "b"])
    #expect(reader.head.count("x") == 2)
    #expect(reader.head.values("accept") == ["c, d"])
    #expect(reader.head.values("x-long") == ["e"])
    #expect(reader.head.values("x-lon").isEmpty)
    #expect(reader.head.values("Host").isEmpty)
  }

  @Test func `a field is there for its own name alone, in any case, and for no later request`() {
    let names: [StaticString] = [
      "A", "b", "Ab", "cD", "Host", "Date", "Cookie", "Origin", "Prefer", "X-Real", "If-Match", "If-Range",
      "Content-Type", "Content-Length", "Sec-Fetch-Site", "Sec-Fetch-Mode", "Authorization", "If-None-Match",
      "Idempotency-Key", "Last-Event-ID",
    ]
    var reader = RequestReader(limits: Self.limits)
    for present in names {
      let value = present.description == "Content-Length" ? "0" : "v-\(present)"
      for written in [present.description, present.description.lowercased(), present.description.uppercased()] {
        let text = Array("GET / HTTP/1.1\r\n\(written): \(value)\r\n\r\n".utf8)
        let (_, progress) = text.withUnsafeBufferPointer { reader.read($0) }
        #expect(progress == .complete)
        for sought in names {
          let isPresent = sought.description == present.description
          #expect(reader.head.value(sought).map { String(decoding: $0, as: UTF8.self) } == (isPresent ? value : nil))
          #expect(reader.head.count(sought) == (isPresent ? 1 : 0))
          #expect(!reader.head.hasSeveral(sought))
        }
        reader.next()
      }
    }
  }

  @Test func `a field is several where its own name is there again, in any case`() {
    let names: [StaticString] = ["Accept", "Cookie", "Prefer", "X-A", "X-Q"]
    var reader = RequestReader(limits: Self.limits)
    for again in names {
      for written in [again.description, again.description.uppercased()] {
        let fields = names.map { "\($0): 1\r\n" }.joined() + "\(written): 2\r\n"
        let (_, progress) = Array("GET / HTTP/1.1\r\n\(fields)\r\n".utf8).withUnsafeBufferPointer { reader.read($0) }
        #expect(progress == .complete)
        for name in names { #expect(reader.head.hasSeveral(name) == (name.description == again.description)) }
        reader.next()
      }
    }
  }

  @Test func `a target has no control character, whatever its length`() {
    for length in 1...40 {
      for position in 0..<length {
        for byte in UInt8.min...UInt8.max where byte != 0x20 && byte != 0x0A && byte != 0x0D {
          var target = [UInt8](repeating: 0x61, count: length)
          target[position] = byte
          var reader = RequestReader(limits: Self.limits)
          let text = Array("GET ".utf8) + target + Array(" HTTP/1.1\r\n\r\n".utf8)
          let (_, progress) = text.withUnsafeBufferPointer { reader.read($0) }
          #expect((progress == .complete) == (byte > 0x20 && byte != 0x7F), "\(byte) at \(position) of \(length)")
        }
      }
    }
  }
}

/// A generator whose numbers depend on its seed alone (Steele, Lea, Flood 2014).
private struct Splitmix: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}
