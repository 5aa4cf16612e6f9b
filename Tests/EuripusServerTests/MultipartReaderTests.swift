// SPDX-License-Identifier: MIT
import Testing

@testable import EuripusServer

@Suite struct `The files of a form` {
  private static let form = [
    "text before the form", "--b", #"Content-Disposition: form-data; name="field""#, "", "--b is no boundary here",
    "--b",
    #"Content-Disposition: form-data; name="f"; filename="a.bin""#, "Content-Type: Application/X; q=1", "",
    "one\r\n--bee\r\n-", "--b", #"content-disposition: form-data; filename="""#, "", "", "--b",
    #"Content-Disposition: form-data; filename=b"#, "", "", "--b--", "text after it",
  ].joined(separator: "\r\n")

  /// The events, with the bytes between two others put together.
  private func events(pieceLength: Int) throws -> [MultipartReader.Event] {
    var reader = try #require(MultipartReader("multipart/form-data; boundary=b"))
    var events: [MultipartReader.Event] = []
    var rest = Array(Self.form.utf8)
    while !rest.isEmpty {
      for event in try reader.read(Array(rest.prefix(pieceLength))) {
        if case .bytes(let more) = event, case .bytes(let before)? = events.last {
          events[events.count - 1] = .bytes(before + more)
        } else {
          events.append(event)
        }
      }
      rest.removeFirst(min(pieceLength, rest.count))
    }
    #expect(reader.isOver)
    return events
  }

  @Test(arguments: [1, 2, 3, 5, 7, 16, 1_000]) func `are the same however the form is cut into pieces`(length: Int)
    throws
  {
    #expect(
      try events(pieceLength: length) == [
        .begin(name: "a.bin", type: "application/x"), .bytes(Array("one\r\n--bee\r\n-".utf8)), .end,
        .begin(name: "b", type: ""), .end,
      ])
  }

  @Test(arguments: [
    "multipart/form-data", "multipart/form-data; boundary=",
    "multipart/form-data; boundary=\(String(repeating: "x", count: 71))",
  ]) func `need a boundary of 1 to 70 bytes`(type: String) { #expect(MultipartReader(type) == nil) }

  @Test func `have heads that are not endless`() throws {
    var reader = try #require(MultipartReader("multipart/form-data; boundary=b"))
    #expect(throws: Problem.self) {
      for _ in 0..<10 { _ = try reader.read(Array(("--b\r\n" + String(repeating: "x", count: 1_000)).utf8)) }
    }
  }
}

@Suite struct `The name of a file in a field` {
  @Test(arguments: [
    (#"attachment; filename="a b.txt""#, "a b.txt"), (#"form-data; name="x"; filename="C:\dir\a.txt""#, "a.txt"),
    (#"form-data; filename="../../etc/passwd""#, "passwd"), (#"x; filename="a\"b""#, "a\"b"),
    (#"x; filename=plain"#, "plain"),
    (#"x; filename="old"; filename*=UTF-8''%E2%82%AC.txt"#, "€.txt"), (#"x; FILENAME="a;b""#, "a;b"),
  ]) func `is its last part`(field: String, name: String) { #expect(UploadRequest.fileName(field) == name) }

  @Test func `is none where there is none`() { #expect(UploadRequest.fileName("attachment; name=x") == nil) }
}
