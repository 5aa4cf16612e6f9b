// SPDX-License-Identifier: MIT

/// The loop's side of a stream: hands its pieces to the engine, and suspends the connection while there are none.
///
/// The engine asks for bytes when the socket has taken the last ones. An answer of no bytes without a suspension would
/// make it ask again at once, without end.
// Owned by the engine's response; touched only on its loop's thread.
final class StreamedBody {
  /// The next step of the engine.
  enum Portion {
    /// Send these, not empty.
    case bytes(ArraySlice<UInt8>)
    /// The connection is suspended; it is asked for more when it was resumed.
    case nothingYet
    case end
    /// Close the connection: nobody is there.
    case brokenOff
  }

  let stream: HTTPStream
  private unowned let connection: Connection
  private let loop: EventLoop
  /// The bytes that come next; empty when there are none.
  private var piece: ArraySlice<UInt8>
  private var isSending = false
  /// The slot in which the connection is parked; nil while it is not.
  private var slot: Int?
  private var isBrokenOff = false
  private var isTold = false

  /// Times of the clock; `UInt64.max` for never. The filler's is counted from the last byte that was sent.
  private var fillsAt = UInt64.max
  private let endsAt: UInt64

  /// - Parameter first: The first piece; empty for none.
  init(_ stream: HTTPStream, of connection: Connection, on loop: EventLoop, first: [UInt8]) {
    self.stream = stream
    self.connection = connection
    self.loop = loop
    piece = first[...]
    endsAt = stream.life.map { loop.now + MonotonicClock.nanoseconds($0) } ?? .max
    fillsAt = nextFill
  }

  private var nextFill: UInt64 { stream.filler.map { loop.now + MonotonicClock.nanoseconds($0.interval) } ?? .max }

  /// The time at which the connection is cut off, however much its client still takes.
  var lastMoment: UInt64 { endsAt == .max ? .max : endsAt + loop.shared.streamStallNanoseconds }

  /// The next bytes, now that the socket has taken the last ones. A piece longer than the engine's space is split.
  func next(atMost count: Int) -> Portion {
    if isSending { fillsAt = nextFill }
    isSending = false
    while !isBrokenOff {
      if !piece.isEmpty {
        defer { piece = piece.dropFirst(count) }
        isSending = true
        return .bytes(piece.prefix(count))
      }
      tellIfOver()
      switch stream.fetch() {
      case .write(let next): piece = next[...]
      case .ask: if !loop.isFinishing { stream.ask() }
      case .end: return .end
      case .wait:
        if loop.isFinishing { return .end }
        guard stream.wait((loop, connection)) else { continue }
        park()
        return .nothingYet
      }
    }
    return .brokenOff
  }

  /// The loop stops. A stream that was told that it ends is left to its owner: to resume it again and again until that
  /// finishes it would be all that the loop does.
  func stop() {
    if !isTold { resume() }
  }

  /// Something was given, or the time is over: the engine is to ask again.
  func resume() {
    guard unpark() else { return }
    connection.engine.resume()
  }

  /// A parked stream is due for its filler or for its end.
  func due() {
    guard unpark() else { return }
    if let filler = stream.filler, fillsAt <= loop.now { piece = filler.bytes[...] }
    connection.engine.resume()
  }

  /// The client closed its side of the connection.
  func clientLeft() {
    guard unpark() else { return }
    countStall()
    isBrokenOff = true
    connection.engine.resume()
    stream.lose()
  }

  /// The request is over.
  func complete() {
    unpark()
    countStall()
    connection.engine.socket.endStreaming()
    stream.lose()
  }

  private func countStall() {
    if connection.engine.socket.takeStall() { loop.tally.stalledStreams.add() }
  }

  private func tellIfOver() {
    let isStopping = loop.isStopping || loop.endsStreams
    guard !isTold, isStopping || endsAt <= loop.now else { return }
    isTold = true
    stream.end(isStopping ? .stopping : .livedOut)
  }

  private func park() {
    connection.engine.suspend()
    slot = loop.park(connection, until: min(fillsAt, isTold ? .max : endsAt))
  }

  /// - Returns: False if the connection is not parked.
  @discardableResult
  private func unpark() -> Bool {
    guard let slot else { return false }
    self.slot = nil
    loop.unpark(connection, slot: slot)
    stream.wake()
    return true
  }
}
