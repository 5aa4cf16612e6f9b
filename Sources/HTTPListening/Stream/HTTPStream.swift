// SPDX-License-Identifier: MIT
import Locking

/// A response body that is made piece by piece while it is sent: the next piece is asked for when the last one has left.
///
/// Made by a handler and returned by it in `HTTPAnswer.stream`; one stream belongs to one request. It holds at most one
/// piece that is not sent, and no thread. A reader of HTTP/1.1 gets the body in chunks and may use the connection again;
/// for one of HTTP/1.0 the connection's end is the body's.
public final class HTTPStream: Sendable {
  /// The reason why a stream ends that its owner has not finished.
  public enum Ending: Sendable {
    /// It has lived as long as it may. The owner finishes it; until it does, the stream goes on.
    case livedOut
    /// The client closed its side, or took nothing for too long. Nothing more can reach it.
    case clientLeft
    /// The server stops, or is about to. The owner finishes it; if it does not before the server stops, the body just
    /// ends.
    case stopping
  }

  /// Bytes that are sent while the owner has nothing, so that proxies in between see that the stream lives.
  public struct Filler: Sendable {
    let bytes: [UInt8]
    let interval: Duration

    /// - Parameters:
    ///   - bytes: At least one.
    ///   - interval: How long nothing is sent before it is.
    public init(_ bytes: [UInt8], every interval: Duration) {
      precondition(!bytes.isEmpty, "a filler without bytes fills nothing")
      self.bytes = bytes
      self.interval = interval
    }
  }

  typealias Reader = (loop: EventLoop, connection: Connection)

  private struct Guarded {
    var state = StreamState<Reader>()
    var isBound = false
    /// Both are cleared when the stream is over, the second also when it is taken to be called.
    var ready: (@Sendable (HTTPStream) -> Void)?
    var ended: (@Sendable (HTTPStream, Ending) -> Void)?

    /// - Returns: The closures to release once the lock is not held: objects that a closure keeps may run code as they
    ///   go.
    mutating func clear() -> (
      ready: (@Sendable (HTTPStream) -> Void)?, ended: (@Sendable (HTTPStream, Ending) -> Void)?
    ) {
      defer { (ready, ended) = (nil, nil) }
      return (ready, ended)
    }
  }

  let filler: Filler?
  let life: Duration?
  private let guarded: Locked<Guarded>

  /// - Parameters:
  ///   - filler: The bytes to send while there is nothing to send; nil for silence.
  ///   - life: After how long `ended` is told `.livedOut`; nil for never.
  ///   - ready: Told, on the loop's thread, that the next piece may be given: once for each, in there or at any time
  ///     after, on any thread.
  ///   - ended: Told once, on the loop's thread, that the stream ends. `finish(_:)` may be called in there, on the
  ///     stream it is given. Not told if the owner finished the stream.
  public init(
    filler: Filler?, life: Duration?, ready: @escaping @Sendable (HTTPStream) -> Void,
    ended: @escaping @Sendable (HTTPStream, Ending) -> Void
  ) {
    self.filler = filler
    self.life = life
    guarded = Locked(Guarded(ready: ready, ended: ended))
  }

  /// Gives the piece that `ready` asked for.
  /// - Parameter piece: At least one byte.
  /// - Returns: Whether it was taken: false if the stream was finished, or the client has left.
  @discardableResult
  public func send(_ piece: [UInt8]) -> Bool {
    precondition(!piece.isEmpty, "a piece without bytes would be asked for again at once")
    let (isTaken, reader) = guarded.withLock { $0.state.give(piece) }
    wake(reader)
    return isTaken
  }

  /// Ends the body after the bytes that are on their way and `rest`. May be called at any time; the first call counts.
  /// - Returns: Whether this call was the one: false also if the client has left.
  @discardableResult
  public func finish(_ rest: [UInt8] = []) -> Bool {
    let (finishing, spent) = guarded.withLock { guarded in (guarded.state.finish(rest), guarded.clear()) }
    withExtendedLifetime(spent) {}
    wake(finishing.wakes)
    return finishing.isTaken
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

  /// Tells the owner that the stream ends, unless it was told before or knows.
  func end(_ ending: Ending) {
    let ended = guarded.withLock { guarded in
      defer { guarded.ended = nil }
      return guarded.ended
    }
    ended?(self, ending)
  }

  /// Nothing more is sent.
  func lose() {
    let (isNews, spent) = guarded.withLock { guarded in (guarded.state.lose(), guarded.clear()) }
    if isNews { spent.ended?(self, .clientLeft) }
  }
}
