// SPDX-License-Identifier: MIT

/// What the header fields say about where the request ends and what becomes of its connection.
struct FieldSemantics {
  /// How the body is delimited.
  enum Framing: Equatable {
    case none
    case counted(Int)
    case chunked
  }

  private(set) var framing = Framing.none
  /// Whether the client waits to be told to go on before it sends the body.
  private(set) var expectsContinue = false
  private var lengths = 0
  private var encodings = 0
  private var hasUnknownEncoding = false
  private var hasUnknownExpectation = false

  /// Takes one field into account.
  mutating func note(
    _ name: UnsafeBufferPointer<UInt8>, _ value: UnsafeBufferPointer<UInt8>, _ head: RequestHead
  ) throws(HTTPRefusal) {
    // By the lengths of the names: to compare every name would cost more than the rest.
    switch name.count {
    case 4 where equalsIgnoringCase(name, "Host"):
      head.hosts += 1
      guard head.hosts == 1 else { throw .ambiguousHost }
    case 6 where equalsIgnoringCase(name, "Expect"):
      if equalsIgnoringCase(value, "100-continue") { expectsContinue = true } else { hasUnknownExpectation = true }
    case 10 where equalsIgnoringCase(name, "Connection"):
      for option in value.split(separator: 0x2C) { noteConnection(trimmed(option), head) }
    case 14 where equalsIgnoringCase(name, "Content-Length"):
      lengths += 1
      framing = .counted(try decimal(value))
    case 17 where equalsIgnoringCase(name, "Transfer-Encoding"):
      encodings += 1
      framing = .chunked
      if !equalsIgnoringCase(value, "chunked") { hasUnknownEncoding = true }
    default: break
    }
  }

  /// The fields are complete.
  mutating func check(_ head: RequestHead, _ limits: RequestLimits) throws(HTTPRefusal) {
    // RFC 9112 §6.1: such a framing is faulty, and a proxy in front may have passed it on unread.
    if encodings > 0, head.isVersion0 { throw .transferEncodingTooEarly }
    if lengths + encodings > 1 { throw .ambiguousLength }
    if hasUnknownEncoding { throw .unknownTransferEncoding }
    if case .counted(let length) = framing {
      if length > limits.body { throw .bodyTooLarge(limit: limits.body) }
      if length == 0 { framing = .none }
    }
    // HTTP/1.0 does not know it (RFC 9110 §10.1.1).
    if hasUnknownExpectation, !head.isVersion0 { throw .unknownExpectation }
    expectsContinue = expectsContinue && !head.isVersion0 && framing != .none
  }

  private func noteConnection(_ option: UnsafeBufferPointer<UInt8>, _ head: RequestHead) {
    if equalsIgnoringCase(option, "close") { head.saysClose = true }
    if equalsIgnoringCase(option, "keep-alive") { head.saysKeepAlive = true }
  }

  private func trimmed(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> UnsafeBufferPointer<UInt8> {
    var bytes = bytes.drop(while: isWhiteSpace)
    while let last = bytes.last, isWhiteSpace(last) { bytes.removeLast() }
    return UnsafeBufferPointer(rebasing: bytes)
  }

  /// As large as can be if it is larger.
  private func decimal(_ bytes: UnsafeBufferPointer<UInt8>) throws(HTTPRefusal) -> Int {
    guard !bytes.isEmpty, bytes.allSatisfy(isDigit) else { throw .malformedLength }
    var number = 0
    for byte in bytes {
      let (tens, overflows) = number.multipliedReportingOverflow(by: 10)
      if overflows || tens > .max - 9 { return .max }
      number = tens + Int(byte - 0x30)
    }
    return number
  }
}
