// SPDX-License-Identifier: MIT
import Locking

/// A response body that is made piece by piece while it is sent. The next piece is asked for when the last one
/// has left.
///
/// A handler makes the stream and returns it in `HTTPAnswer.stream`. One stream belongs to one request. It
/// holds at most one unsent piece, and no thread. A reader of HTTP/1.1 gets a body of unknown length in chunks, and may use the
/// connection again. For a reader of HTTP/1.0, such a body ends with the connection.
package final class HTTPStream: Sendable {
  /// The reason why a stream ends although its owner has not finished it.
  package enum Ending: Sendable {
    /// The stream has lived as long as it may. The owner has to finish it; until it does, the stream goes on.
    case livedOut
    /// The client closed its side, or took nothing for too long. Nothing more can reach it.
    case clientLeft
    /// The server stops, or is about to. The owner has to finish the stream. If it does not do so before the
    /// server stops, the body just ends.
    case stopping
  }

  /// Bytes that are sent while the owner has nothing. By them, proxies in between see that the stream lives.
  package struct Filler: Sendable {
    let bytes: [UInt8]
    let interval: Duration

    /// - Parameters:
    ///   - bytes: At least one byte.
    ///   - interval: The time without a sent byte after which the filler is sent.
    package init(_ bytes: [UInt8], every interval: Duration) {
      precondition(!bytes.isEmpty, "a filler without bytes fills nothing")
      self.bytes = bytes
      self.interval = interval
    }
  }

  typealias Reader = (loop: EventLoop, connection: Connection)

  private struct Guarded {
    var state = StreamState<Reader>()
    var isBound = false
    /// Both are cleared when the stream is over. The second is also cleared when it is taken to be called.
    var ready: (@Sendable (HTTPStream) -> Void)?
    var ended: (@Sendable (HTTPStream, Ending) -> Void)?

    /// - Returns: The closures, to be released once the lock is not held: objects that a closure keeps may run
    ///   code as they go.
    mutating func clear() -> (
      ready: (@Sendable (HTTPStream) -> Void)?, ended: (@Sendable (HTTPStream, Ending) -> Void)?
    ) {
      defer { (ready, ended) = (nil, nil) }
      return (ready, ended)
    }
  }

  let filler: Filler?
  /// The bytes of the whole body; `nil` while they are not known.
  let length: Int?
  /// Whether the body may end anywhere, as a stream of events may.
  let isOpenEnded: Bool
  let life: Duration?
  private let guarded: Locked<Guarded>

  /// - Parameters:
  ///   - filler: The bytes to send while there is nothing to send; nil for silence.
  ///   - length: The bytes of the whole body, which the client is told; nil if they are not known. A body that ends before
  ///     is broken off.
  ///   - isOpenEnded: Whether the body may end anywhere. If not, it is broken off where the server stops before it is
  ///     finished.
  ///   - life: The time after which `ended` is told `.livedOut`; nil for never.
  ///   - ready: Called once for each piece, on the loop's thread, when the next piece may be given. The piece
  ///     may be given inside it, or later by any thread.
  ///   - ended: Called once, on the loop's thread, when the stream ends. It may call `finish(_:)` on the stream
  ///     that it gets. It is not called if the owner finished the stream.
  package init(
    filler: Filler?, length: Int? = nil, isOpenEnded: Bool = true, life: Duration?,
    ready: @escaping @Sendable (HTTPStream) -> Void,
    ended: @escaping @Sendable (HTTPStream, Ending) -> Void
  ) {
    self.filler = filler
    self.length = length
    self.isOpenEnded = isOpenEnded
    self.life = life
    guarded = Locked(Guarded(ready: ready, ended: ended))
  }

  /// Gives the piece that `ready` asked for.
  /// - Parameter piece: At least one byte.
  /// - Returns: Whether the piece was taken. It is not if the stream was finished, or if the client has left.
  @discardableResult
  package func send(_ piece: [UInt8]) -> Bool {
    precondition(!piece.isEmpty, "a piece without bytes would be asked for again at once")
    let (isTaken, reader) = guarded.withLock { $0.state.give(piece) }
    wake(reader)
    return isTaken
  }

  /// Ends the body after the bytes that are on their way and `rest`. May be called at any time. The first call
  /// counts.
  /// - Returns: Whether this call counted. It does not if the client has left.
  @discardableResult
  package func finish(_ rest: [UInt8] = []) -> Bool {
    let (finishing, spent) = guarded.withLock { guarded in (guarded.state.finish(rest), guarded.clear()) }
    withExtendedLifetime(spent) {}
    wake(finishing.wakes)
    return finishing.isTaken
  }

  /// Ends the connection without an end of the body, so that the client does not take it for the whole.
  package func breakOff() {
    let (reader, spent) = guarded.withLock { guarded in (guarded.state.breakOff(), guarded.clear()) }
    withExtendedLifetime(spent) {}
    wake(reader)
  }

  private func wake(_ reader: Reader?) {
    if let reader { reader.loop.post(.wake(reader.connection, self)) }
  }

  // MARK: The connection's side, on its loop's thread

  /// Ties the stream to the request whose handler returned it.
  func bind() {
    let wasBound = guarded.withLock { guarded in
      defer { guarded.isBound = true }
      return guarded.isBound
    }
    precondition(!wasBound, "an HTTPStream was returned for two requests: make one for each request")
  }

  /// See `StreamState.fetch()`.
  func fetch() -> StreamState<Reader>.Step { guarded.withLock { $0.state.fetch() } }

  /// Asks the owner for the next piece.
  func ask() { guarded.withLock { $0.ready }?(self) }

  /// See `StreamState.wait(_:)`.
  func wait(_ reader: Reader) -> Bool { guarded.withLock { $0.state.wait(reader) } }

  /// See `StreamState.wake()`.
  func wake() { guarded.withLock { $0.state.wake() } }

  /// Tells the owner that the stream ends, unless the owner was told before or knows it.
  func end(_ ending: Ending) {
    let ended = guarded.withLock { guarded in
      // The owner of a whole body goes on as the server stops, and is told when the client leaves.
      if case .stopping = ending, !isOpenEnded { return guarded.ended }
      defer { guarded.ended = nil }
      return guarded.ended
    }
    ended?(self, ending)
  }

  /// Notes that nothing more is sent.
  func lose() {
    let (isNews, spent) = guarded.withLock { guarded in (guarded.state.lose(), guarded.clear()) }
    if isNews { spent.ended?(self, .clientLeft) }
  }
}
