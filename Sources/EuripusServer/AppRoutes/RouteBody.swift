// SPDX-License-Identifier: MIT
import HTTPListening

/// The body of a request, piece by piece while it comes (``AppRoute/post(_:maxBodyBytes:crossSite:time:rate:_:)``).
///
/// ```swift
/// for try await piece in body { try file.write(contentsOf: piece) }
/// ```
///
/// The server holds about 64 KiB that are not read yet; while it is full the client has to wait. A body is read once: a second
/// loop goes on where the first one was left.
public struct RouteBody: AsyncSequence, Sendable {
  public typealias Element = [UInt8]

  /// `nil` for a request without a body.
  let body: IncomingBody?

  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(body: body) }

  public struct AsyncIterator: AsyncIteratorProtocol {
    let body: IncomingBody?

    /// The next piece, of at least one byte; `nil` at the end.
    ///
    /// - Throws: ``RouteBodyLost``.
    public mutating func next() async throws -> [UInt8]? {
      guard let body else { return nil }
      let piece = await withCheckedContinuation { continuation in body.read { continuation.resume(returning: $0) } }
      switch piece {
      case .bytes(let bytes): return bytes
      case .end: return nil
      case .lost: throw RouteBodyLost()
      }
    }
  }
}

/// The rest of a request's body does not come: its client has left, was too slow, or sent more than it may. No answer
/// reaches it, or it has one already.
public struct RouteBodyLost: Error, CustomStringConvertible {
  public var description: String { "the rest of the request's body did not come" }
}
