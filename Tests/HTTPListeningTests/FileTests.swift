// SPDX-License-Identifier: MIT
import Foundation
import Testing

@testable import HTTPListening

@Suite(.timeLimit(.minutes(30))) struct FileTests {
  /// A file of a test's own, whose bytes depend on their places.
  private final class Written: Sendable {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent("sent-\(UUID().uuidString)").path
    let bytes: [UInt8]

    init(_ count: Int) throws {
      bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 ^ $0 >> 8) }
      try Data(bytes).write(to: URL(fileURLWithPath: path))
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func open() -> HTTPFile { HTTPFile(descriptor: Glibc.open(path, O_RDONLY | O_CLOEXEC), count: bytes.count) }

    /// The number of this process's descriptors of the file.
    var openCount: Int {
      get throws {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").filter {
          (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")) == path
        }.count
      }
    }

    func shorten(to count: Int) throws {
      let file = try #require(FileHandle(forWritingAtPath: path))
      try file.truncate(atOffset: UInt64(count))
      try file.close()
    }
  }

  private static func response(_ file: HTTPFile) -> HTTPResponse {
    HTTPResponse(status: 200, contentType: "text/plain", fields: [], body: .file(file))
  }

  @Test(arguments: [0, 1, 4_095, 4_096, 4_097, 131_072, 1_000_003], Transport.allCases)
  func `a file is sent as it is, and the connection goes on`(count: Int, transport: Transport) throws {
    let written = try Written(count)
    try transport.withListener(handler: { _ in .now(Self.response(written.open())) }) { listener in
      let client = try transport.client(listener)
      try client.send(get + get + get)
      for _ in 0..<3 {
        let response = try client.receive()
        #expect(response.status == 200 && response.field("Content-Length") == "\(count)")
        #expect(response.body == written.bytes)
      }
    }
    #expect(try written.openCount == 0)
  }

  @Test func `the bytes of a file, or of a part, can be read before it is sent, unless they have become fewer`() throws
  {
    for count in [0, 1, 65_536, 200_000] {
      let written = try Written(count)
      #expect(written.open().bytes() == written.bytes)
    }
    let written = try Written(200_000)
    #expect(written.open()[70_000..<140_001].bytes() == Array(written.bytes[70_000..<140_001]))
    let file = written.open()
    try written.shorten(to: 100_000)
    #expect(file.bytes() == nil)
    #expect(file[0..<100_000].bytes() == Array(written.bytes[..<100_000]))
  }

  @Test(arguments: [0..<1, 5..<5, 999_999..<1_000_000, 4_000..<300_000, 0..<1_000_000])
  func `a part of a file is sent from its place on`(range: Range<Int>) throws {
    let written = try Written(1_000_000)
    try withListener(handler: { _ in .now(Self.response(written.open()[range])) }) { listener in
      let response = try listener.answer()
      #expect(response.body == Array(written.bytes[range]))
    }
  }

  @Test func `a part of a part is counted from that one's beginning`() throws {
    let written = try Written(100)
    let file = written.open()[10..<50][5..<20]
    #expect((file.offset, file.count) == (15, 15))
  }

  @Test(arguments: [("HEAD", 200), ("GET", 304)])
  func `without a body a file has its length, and is closed`(method: String, status: Int) throws {
    let written = try Written(5_000)
    try withListener(handler: { _ in
      var response = Self.response(written.open())
      response.status = status
      return .now(response)
    }) { listener in
      let client = try RawClient(port: listener.port)
      for _ in 0..<2 {
        try client.send("\(method) / HTTP/1.1\r\nHost: h\r\n\r\n")
        let response = try client.receive(hasBody: false)
        #expect((response.status, response.field("Content-Length")) == (status, "5000"))
      }
      #expect(client.pending.isEmpty)
    }
    #expect(try written.openCount == 0)
  }

  @Test func `a file whose response is never queued is closed`() throws {
    let written = try Written(10)
    do {
      let response = Self.response(written.open())
      #expect(try written.openCount == 1 && response.body.count == 10)
    }
    #expect(try written.openCount == 0)
    let early = DeferredReply(deadline: nil) { _, _ in }
    early.answer(HTTPResponse("first"))
    #expect(!early.answer(Self.response(written.open())))
    #expect(try written.openCount == 0)
  }

  @Test func `a file is closed when its response cannot be sent, and when its client leaves`() throws {
    let written = try Written(16_000_000)
    try withListener(handler: { request in
      var response = Self.response(written.open())
      if request.target == "/bad" { response.fields = [HTTPField("X", "a\u{1}b")] }
      return .now(response)
    }) { listener in
      #expect(try listener.answer("GET /bad HTTP/1.1\r\nHost: h\r\n\r\n").status == 500)
      let leaver = try listener.client()
      #expect(try leaver.drop(1_000) > 0)
      leaver.close()
    }
    #expect(try written.openCount == 0)
  }

  @Test func `a file that is put in another's place is sent as the one that was asked for`() throws {
    let written = try Written(16_000_000)
    try withListener(handler: { _ in .now(Self.response(written.open())) }) { listener in
      let client = try listener.client()
      #expect(try client.fill())
      try Data("another".utf8).write(to: URL(fileURLWithPath: written.path), options: .atomic)
      #expect(try client.receive().body == written.bytes)
    }
  }

  @Test func `a file that became shorter ends with the connection, before its length`() throws {
    let written = try Written(16_000_000)
    let clock = TestClock()
    try withListener(
      clock: clock,
      handler: { $0.target == "/" ? .now(Self.response(written.open())) : .now(HTTPResponse("other")) }
    ) { listener in
      let client = try listener.client(receiveBuffer: 4_096)
      #expect(try client.fill())
      try written.shorten(to: 1_000)
      // The connection ends at the latest when its time is over. The client is credited with the bytes that its
      // system still takes.
      repeat {
        #expect(try listener.answer("GET /other HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n").text == "other")
        clock.pass(.seconds(31), for: listener)
      } while listener.counts.connections > 0
      #expect(throws: RawClient.Failure.self) { try client.receive() }
    }
  }
}
