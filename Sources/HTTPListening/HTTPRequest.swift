// SPDX-License-Identifier: MIT
import Buffers

/// A request whose body has been read, as it was sent.
///
/// Valid only until the handler returns; it cannot be kept or sent to another thread. Copy out what is needed.
public struct HTTPRequest {
  let connection: Connection

  /// How often the handler was called for this request before: 0 the first time (see ``DeferredReply/askAgain()``).
  public var attempt: Int { connection.attempt }

  /// The method as sent, such as `GET`.
  public var method: String { connection.head.methodName }

  /// The bytes of `method`, where they are: valid as long as the request.
  public var methodBytes: UnsafeBufferPointer<UInt8> { connection.head.methodBytes }

  /// The request target as sent, with its query and not decoded, such as `/a%20b?x=1`.
  public var target: String { String(decoding: connection.head.target, as: UTF8.self) }

  /// The bytes of `target`.
  public var targetBytes: [UInt8] { connection.head.target }

  /// Marks the request for who counts and logs it: see ``HTTPExchange/mark``.
  public func mark(_ mark: UInt16) { connection.mark = mark }

  /// Says who the client is, where that is another than who the connection is from: see ``HTTPExchange/clientAddress``.
  public func setClientAddress(_ address: String) { connection.clientAddress = address }

  /// The whole body. O(its length), as it is copied.
  public var body: [UInt8] { [UInt8](connection.reader.body) }

  /// The bytes of `body`, where they are: valid as long as the request.
  public var bodyBytes: UnsafeBufferPointer<UInt8> { connection.reader.body.elements }

  /// The client's address in numbers, such as `127.0.0.1`; empty if it is not known. Computed at each call.
  public var peerAddress: String { connection.engine.peerAddress }

  /// Whether it came through TLS.
  public var isSecure: Bool { connection.engine.isSecure }

  /// The value of the first header field of this name, whatever its case. O(header fields).
  public func header(_ name: StaticString) -> String? {
    headerBytes(name).map { String(decoding: $0, as: UTF8.self) }
  }

  /// The values of all header fields of this name, in order, joined by `separator`: for fields that are lists
  /// (RFC 9110 §5.3). O(header fields).
  public func list(_ name: StaticString, separator: String = ", ") -> String? {
    hasSeveral(name) ? connection.head.values(name).joined(separator: separator) : header(name)
  }

  /// The bytes of the first value, where they are: valid as long as the request. O(header fields).
  public func headerBytes(_ name: StaticString) -> UnsafeBufferPointer<UInt8>? { connection.head.value(name) }

  /// How many Host fields there are; HTTP/1.1 wants just one (RFC 9112 §3.2).
  public var hostCount: Int { connection.head.hosts }

  /// Adds fields to the response, whichever it is and whenever it comes, one that the listener makes by itself included.
  public func addToAnswer(_ fields: [HTTPField]) { connection.answerFields += fields }

  /// Whether several header fields have this name, whatever its case. O(header fields).
  public func hasSeveral(_ name: StaticString) -> Bool { connection.head.hasSeveral(name) }

  /// How many header fields have this name, whatever its case. O(header fields).
  public func headerCount(_ name: StaticString) -> Int { connection.head.count(name) }
}

@available(*, unavailable, message: "a request is valid only inside its handler: copy out what is needed")
extension HTTPRequest: Sendable {}
