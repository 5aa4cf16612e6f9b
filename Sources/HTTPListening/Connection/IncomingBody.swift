// SPDX-License-Identifier: MIT
import Locking

/// The body of a request that its handler reads while it comes (``BodyRule/isStreamed``).
///
/// It holds about 64 KiB that are not read yet. While it is full the client has to wait, and costs no thread.
package final class IncomingBody: Sendable {
  package enum Piece: Sendable, Equatable {
    /// At least one byte.
    case bytes([UInt8])
    /// The whole body has been read.
    case end
    /// The rest does not come: the client has left, was too slow or sent too much, or the request has its answer.
    case lost
  }

  private struct Guarded {
    var unread: [UInt8] = []
    /// ``Piece/end`` or ``Piece/lost`` once no more bytes come.
    var ending: Piece?
    var reader: (@Sendable (Piece) -> Void)?
    /// Whether the connection waits until bytes are read.
    var isHeld = false
  }

  private static let mostUnread = 65_536

  private let loop: EventLoop
  private let connection: Connection
  private let guarded = Locked(Guarded())

  init(of connection: Connection, on loop: EventLoop) { (self.connection, self.loop) = (connection, loop) }

  /// Gives the next piece to `then`, at once or when it has come, on any thread. After ``Piece/end`` and ``Piece/lost`` it
  /// gives the same again.
  ///
  /// - Precondition: no earlier read waits.
  package func read(then: @escaping @Sendable (Piece) -> Void) {
    let (piece, wasHeld) = guarded.withLock { guarded -> (Piece?, Bool) in
      guard guarded.unread.isEmpty else {
        defer { (guarded.unread, guarded.isHeld) = ([], false) }
        return (.bytes(guarded.unread), guarded.isHeld)
      }
      if let ending = guarded.ending { return (ending, false) }
      precondition(guarded.reader == nil, "a body was read twice at once: expected one read after the other")
      guarded.reader = then
      return (nil, false)
    }
    if wasHeld { loop.post(.bodyRead(connection, self)) }
    if let piece { then(piece) }
  }

  // MARK: The connection's side, on its loop's thread

  /// Takes bytes that have come.
  ///
  /// - Returns: whether the client has to wait until they are read.
  func take(_ bytes: [UInt8]) -> Bool {
    let (reader, isFull) = guarded.withLock { guarded -> ((@Sendable (Piece) -> Void)?, Bool) in
      if guarded.ending != nil { return (nil, false) }
      if let reader = guarded.reader {
        guarded.reader = nil
        return (reader, false)
      }
      guarded.unread += bytes
      guarded.isHeld = guarded.unread.count >= Self.mostUnread
      return (nil, guarded.isHeld)
    }
    reader?(.bytes(bytes))
    return isFull
  }

  /// Notes that all bytes have come.
  func end() { end(with: .end) }

  /// Notes that no more bytes come. Bytes that are not read are dropped, unless all have come.
  func lose() { end(with: .lost) }

  private func end(with ending: Piece) {
    let reader = guarded.withLock { guarded -> (@Sendable (Piece) -> Void)? in
      if guarded.ending != nil { return nil }
      guarded.ending = ending
      if ending == .lost { guarded.unread = [] }
      defer { guarded.reader = nil }
      return guarded.reader
    }
    reader?(ending)
  }
}
