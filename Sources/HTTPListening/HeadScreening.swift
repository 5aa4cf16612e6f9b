// SPDX-License-Identifier: MIT

/// What libmicrohttpd lets through in a request head and must not: see `HTTPRefusal`.
///
/// It has to be decided before the body is read, because it decides where the body ends.
struct HeadScreening {
  private(set) var refusal: HTTPRefusal?
  private let limit: Int
  private var lengths = 0
  private var encodings = 0
  /// How many Host fields there are; whether that is an error depends on the version of HTTP.
  private(set) var hosts = 0

  /// Screens the head that was read. `limit` is the longest body, in bytes.
  init(_ engine: EngineConnection, limit: Int) {
    self.limit = limit
    engine.screenFields(&self)
    if lengths + encodings > 1 { refusal = .ambiguousLength }
  }

  /// Looks at one field.
  mutating func screen(_ name: UnsafeBufferPointer<UInt8>, _ value: UnsafeBufferPointer<UInt8>) {
    guard isToken(name), isFieldContent(value) else {
      refusal = .malformedField
      return
    }
    // The lengths of the two names; comparing every name would cost more than the rest.
    if name.count == 4, equals(name, "Host") {
      hosts += 1
    } else if name.count == 14, equals(name, "Content-Length") {
      lengths += 1
      if (decimal(value) ?? .max) > limit, refusal == nil { refusal = .bodyTooLarge(limit: limit) }
    } else if name.count == 17, equals(name, "Transfer-Encoding") {
      encodings += 1
      if !equals(value, "chunked") { refusal = .unknownTransferEncoding }
    }
  }

  private func equals(_ bytes: UnsafeBufferPointer<UInt8>, _ text: StaticString) -> Bool {
    text.withUTF8Buffer { equalsIgnoringCase(bytes, $0) }
  }

  /// nil if it is no number or too large to count.
  private func decimal(_ bytes: UnsafeBufferPointer<UInt8>) -> Int? {
    guard !bytes.isEmpty, bytes.count < 19 else { return nil }
    var number = 0
    for byte in bytes {
      guard byte >= 0x30, byte <= 0x39 else { return nil }
      number = number * 10 + Int(byte - 0x30)
    }
    return number
  }
}
