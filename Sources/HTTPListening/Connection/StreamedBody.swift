// SPDX-License-Identifier: MIT

/// The loop's side of a stream. It hands the stream's pieces to the engine, and suspends the connection while
/// there are none.
///
/// The engine asks for bytes when the socket has taken the last ones. If it got no bytes without a suspension,
/// it would ask again at once, without end.
// The engine's response owns it, and only its loop's thread touches it.
final class StreamedBody {
  /// The next step of the engine.
  enum Portion {
    /// Send these bytes, which are not empty.
    case bytes(ArraySlice<UInt8>)
    /// The connection is suspended. It is asked for more once it was resumed.
    case nothingYet
    case end
    /// Close the connection: its client has gone, or the body cannot be finished.
    case brokenOff
  }

  let stream: HTTPStream
  private unowned let connection: Connection
  private let loop: EventLoop
  /// The bytes that are sent next; empty if there are none.
  private var piece: ArraySlice<UInt8>
  private var isSending = false
  /// The slot in which the connection is parked; nil if it is not parked.
  private var slot: Int?
  private var isBrokenOff = false
  private var isTold = false

  /// Times of the clock; `UInt64.max` for never. The filler's time counts from the last byte that was sent.
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

  /// The time at which the connection is cut off, even if its client still takes bytes.
  var lastMoment: UInt64 { endsAt == .max ? .max : endsAt + loop.shared.streamStallNanoseconds }

  /// The next bytes, once the socket has taken the last ones. A piece longer than the engine's room is split.
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
      case .breakOff: return .brokenOff
      case .wait:
        if loop.isFinishing { return stream.isOpenEnded ? .end : .brokenOff }
        guard stream.wait((loop, connection)) else { continue }
        park()
        return .nothingYet
      }
    }
    return .brokenOff
  }

  /// Tells the stream that the loop stops. A stream that was told already is left to its owner. The loop would
  /// otherwise do nothing but resume it again and again until the owner finishes it.
  func stop() {
    if !isTold { resume() }
  }

  /// Makes the engine ask again: something was given, or the time is over.
  func resume() {
    guard unpark() else { return }
    connection.engine.resume()
  }

  /// Resumes a parked stream that is due for its filler or for its end.
  func due() {
    guard unpark() else { return }
    if let filler = stream.filler, fillsAt <= loop.now { piece = filler.bytes[...] }
    connection.engine.resume()
  }

  /// Ends the stream of a client that has closed its side.
  func clientLeft() {
    guard unpark() else { return }
    countStall()
    isBrokenOff = true
    connection.engine.resume()
    stream.lose()
  }

  /// Notes that the request is over.
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
