// SPDX-License-Identifier: MIT

/// The gate in front of every handler. libmicrohttpd parses a head. The gate then refuses heads that
/// libmicrohttpd lets through but that must not be served: another program could read them in another way, or
/// they are too long.
///
/// The gate is shown the request line and each field, with duplicates, before the body is read.
struct RequestGate {
  /// The first fault that was found.
  private(set) var refusal: HTTPRefusal?
  /// The length of the body, if a Content-Length gives it.
  private(set) var length = 0
  private(set) var isChunked = false
  /// The bytes of the fields, each counted as `name: value` and a line end.
  private(set) var fieldBytes = 0

  /// The longest body, in bytes.
  var bodyLimit: Int

  private let limits: RequestLimits
  private let isVersion0: Bool
  private var fields = 0
  private var hosts = 0
  private var lengths = 0
  private var codings = 0
  private var hasUnknownCoding = false
  private var expectsContinue = false
  private var hasUnknownExpectation = false

  var hasBody: Bool { isChunked || length > 0 }

  /// The length of a body that comes without an invitation; `nil` if that is not known, or the client waits for `100`.
  var lengthOfComing: Int? { isChunked || expectsContinue ? nil : length }

  /// - Parameter target: The target; nil if it is not UTF-8.
  init(method: String, target: String?, isVersion0: Bool, limits: RequestLimits) {
    self.limits = limits
    bodyLimit = limits.body
    self.isVersion0 = isVersion0
    if !method.utf8.allSatisfy(isTokenByte) || method.isEmpty { refusal = .malformedRequestLine }
    if target?.utf8.count ?? 0 > limits.target { refuse(.targetTooLong(limit: limits.target)) }
    if !Self.isTarget((target ?? "").utf8Span.span) { refuse(.malformedRequestLine) }
  }

  /// Looks at one field. Its value may have white space at its end, which 0.9.75 leaves there (RFC 9112 §5).
  mutating func look(at name: borrowing Span<UInt8>, _ line: borrowing Span<UInt8>) {
    let value = line.extracting(..<countWithoutSpaceAtEnd(line))
    fields += 1
    fieldBytes += name.count + value.count + 4
    guard isToken(name), isFieldContent(value) else { return refuse(.malformedField) }
    // The length of the name decides first, since comparing every name would cost more than all the rest.
    switch name.count {
    case 4 where isName(name, "Host"):
      hosts += 1
      if !isHost(value) { refuse(.ambiguousHost) }
    case 6 where isName(name, "Expect"):
      if isName(value, "100-continue") { expectsContinue = true } else { hasUnknownExpectation = true }
    case 14 where isName(name, "Content-Length"):
      lengths += 1
      if let number = decimal(value) { length = number } else { refuse(.malformedLength) }
    case 17 where isName(name, "Transfer-Encoding"):
      codings += 1
      isChunked = true
      // 0.9.75 does not know the coding with white space after it, and would read the body as a request.
      if !isName(line, "chunked") { hasUnknownCoding = true }
    case 15...:
      // libmicrohttpd 0.9.75 appends the second line of a folded field to the name. That hides the field.
      if isName(name, startingWith: "Content-Length") || isName(name, startingWith: "Transfer-Encoding") {
        refuse(.malformedField)
      }
    default: break
    }
  }

  /// Checks the head once its fields are complete.
  mutating func close() {
    if fields > limits.headerFields { refuse(.tooManyFields(limit: limits.headerFields)) }
    if fieldBytes > limits.headerBytes { refuse(.headersTooLarge(limit: limits.headerBytes)) }
    if hosts > 1 || hosts == 0 && !isVersion0 { refuse(.ambiguousHost) }
    // Such a framing is faulty, and a proxy in front may have passed it on unread (RFC 9112 §6.1).
    if codings > 0, isVersion0 { refuse(.transferEncodingTooEarly) }
    if lengths + codings > 1 { refuse(.ambiguousLength) }
    if hasUnknownCoding { refuse(.unknownTransferEncoding) }
    if length > bodyLimit { refuse(.bodyTooLarge(limit: bodyLimit)) }
    // HTTP/1.0 does not have expectations (RFC 9110 §10.1.1).
    if hasUnknownExpectation, !isVersion0 { refuse(.unknownExpectation) }
    // A client may not expect it for a request without a body (RFC 9110 §10.1.1). libmicrohttpd 0.9.75 would
    // send it, call the handler once too early if more bytes are there, and then take no answer.
    if expectsContinue, !hasBody, !isVersion0 { refuse(.unknownExpectation) }
  }

  private mutating func refuse(_ fault: HTTPRefusal) {
    if refusal == nil { refusal = fault }
  }

  /// Whether the bytes are a target. They are characters of a URI or beyond ASCII. Two hexadecimal digits
  /// follow each `%`, and are not those of NUL.
  private static func isTarget(_ bytes: borrowing Span<UInt8>) -> Bool {
    for index in bytes.indices {
      guard isTargetByte(bytes[index]) else { return false }
      guard bytes[index] == 0x25 else { continue }
      guard index + 2 < bytes.count, let high = hexDigit(bytes[index + 1]), let low = hexDigit(bytes[index + 2]),
        high | low != 0
      else { return false }
    }
    return !bytes.isEmpty
  }
}

/// The sizes that a request may have. A request with one more is refused.
struct RequestLimits: Sendable {
  /// Bytes of the request target.
  var target = 4_096
  /// Bytes of all header fields together, each as `name: value` and a line end.
  var headerBytes = 6_144
  /// Header fields.
  var headerFields = 64
  /// Bytes of the body.
  var body = 65_536

  /// The memory that libmicrohttpd gets for a connection, in bytes. It has to hold the head as it came, about
  /// 64 bytes for each field and query item, and a second copy of a Cookie field. The head of the response has
  /// to fit beside it. So each limit can be reached, but not all at once. If a head needs more, libmicrohttpd
  /// answers 431 or 414 by itself.
  var connectionMemory: Int { max(headerBytes, target + 1_024, 80 * headerFields) + 2_048 }
}
