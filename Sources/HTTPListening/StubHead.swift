// SPDX-License-Identifier: MIT

/// The head that libmicrohttpd is given in place of the one that came, once that and its body are read and checked.
///
/// It says only what libmicrohttpd has to know to send the response: whether that has a body, which version it answers,
/// and whether the connection is kept.
struct StubHead {
  var isHead: Bool
  var isVersion0: Bool
  var keepsAlive: Bool

  private var end: StaticString {
    switch (isVersion0, keepsAlive) {
    case (false, true): " HTTP/1.1\r\n\r\n"
    case (false, false): " HTTP/1.1\r\nConnection: close\r\n\r\n"
    case (true, true): " HTTP/1.0\r\nConnection: keep-alive\r\n\r\n"
    case (true, false): " HTTP/1.0\r\n\r\n"
    }
  }

  /// - Parameter fills: whether to fill the space to its last byte, so that libmicrohttpd reads again without waiting
  ///   for the socket after the response: it takes a full buffer for a sign that there is more.
  /// - Returns: how many bytes were written; nil if the space is too small for any.
  func write(to space: UnsafeMutableRawBufferPointer, fills: Bool) -> Int? {
    let start: StaticString = isHead ? "HEAD /" : "GET /"
    let shortest = start.utf8CodeUnitCount + end.utf8CodeUnitCount
    guard space.count >= shortest else { return nil }
    let padding = fills ? space.count - shortest : 0
    start.withUTF8Buffer { space.copyMemory(from: UnsafeRawBufferPointer($0)) }
    let padded = UnsafeMutableRawBufferPointer(rebasing: space[start.utf8CodeUnitCount...])
    padded.prefix(padding).initializeMemory(as: UInt8.self, repeating: 0x2E)
    end.withUTF8Buffer {
      UnsafeMutableRawBufferPointer(rebasing: padded[padding...]).copyMemory(from: UnsafeRawBufferPointer($0))
    }
    return shortest + padding
  }
}

extension StubHead {
  init(_ head: RequestHead, closing: Bool) {
    self.init(isHead: head.isHead, isVersion0: head.isVersion0, keepsAlive: head.keepsAlive && !closing)
  }
}
