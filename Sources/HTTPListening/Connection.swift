// SPDX-License-Identifier: MIT

/// A connection and the request it is reading or answering; one object for all the requests of a connection.
// @unchecked Sendable: carried across threads by a reply and its inbox, but touched only on its loop's thread.
final class Connection: @unchecked Sendable {
  /// How far the present request is.
  private enum Exchange {
    /// No request line has been read.
    case idle
    /// The request line was read, the header fields are not screened yet.
    case head
    /// The head is good; the body is being collected.
    case reading
    /// The body grew too long; `dropped` bytes of it were thrown away, the refusal follows when it ends.
    case draining(dropped: Int)
    /// Suspended and parked; the reply has no answer yet.
    case waiting(DeferredReply, slot: Int)
    /// Resumed with a response; the coming handler call queues it.
    case resuming(HTTPResponse)
    /// Resumed without anybody to answer; the coming handler call closes the connection.
    case leaving
    /// The response is queued.
    case answered
    /// The head is queued, and the body is made while it is sent.
    case streaming(StreamedBody)
  }

  /// Bytes of a body past the limit that are read only to be able to refuse it; then the connection is closed.
  private static let drainLimit = 1_048_576
  /// Capacity a connection keeps between requests, in bytes.
  private static let keptCapacity = 4_096

  // Exclusivity checks of the stored properties cost 4 % of a request; one thread touches them, and none across a call.
  @exclusivity(unchecked) var engine: EngineConnection
  private let loop: EventLoop
  let engineIndex: Int
  @exclusivity(unchecked) private(set) var target: [UInt8] = []
  @exclusivity(unchecked) private(set) var body: [UInt8] = []
  /// How many Host fields the present request has.
  @exclusivity(unchecked) private(set) var hosts = 0
  @exclusivity(unchecked) private var exchange = Exchange.idle

  /// When the request must have been read, a time of `MonotonicClock`; `UInt64.max` while there is nothing to read.
  @exclusivity(unchecked) private(set) var readBy: UInt64
  /// The loop's slot for this connection; set when it is opened.
  private var slot = 0

  init(engine: EngineConnection, loop: EventLoop, engineIndex: Int) {
    self.engine = engine
    self.loop = loop
    self.engineIndex = engineIndex
    readBy = loop.lineDeadline
  }

  /// The connection is ready for its first request.
  func open() { slot = loop.look(after: self) }

  /// The connection is closed.
  func close() { loop.forget(self, slot: slot) }

  /// Ends the connection from outside a handler call; the engine sees that its client has gone.
  func cutOff() { engine.shutDown() }

  /// The request line was read.
  func begin(target bytes: UnsafeBufferPointer<UInt8>) {
    target.removeAll(keepingCapacity: true)
    target.append(contentsOf: bytes)
    exchange = .head
    readBy = loop.requestDeadline
    loop.openRequests += 1
  }

  /// A handler call of the engine, with a piece of the body or nothing.
  /// - Returns: False to close the connection.
  func advance(_ piece: UnsafeBufferPointer<UInt8>) -> Bool {
    switch exchange {
    case .head:
      return screen()
    case .reading:
      return piece.isEmpty ? finish() : collect(piece)
    case .draining(let dropped):
      if piece.isEmpty { return refuse(.bodyTooLarge(limit: loop.shared.configuration.maxBodyBytes)) }
      exchange = .draining(dropped: dropped + piece.count)
      return dropped + piece.count <= Self.drainLimit
    case .resuming(let response):
      return queue(response)
    case .leaving:
      return false
    case .answered, .streaming:
      return true
    case .idle, .waiting:
      preconditionFailure("libmicrohttpd called the handler of a request that is \(exchange)")
    }
  }

  /// The request is over, answered or lost.
  func complete() {
    switch exchange {
    case .waiting(let reply, let slot):
      loop.unpark(self, slot: slot)
      reply.end(.clientLeft)
    case .streaming(let body):
      body.complete()
    case .idle, .head, .reading, .draining, .resuming, .leaving, .answered:
      break
    }
    exchange = .idle
    readBy = loop.lineDeadline
    clearBody()
    loop.openRequests -= 1
  }

  /// The reply was answered. Ignored if its request is no longer waiting.
  func resume(_ reply: DeferredReply, with response: HTTPResponse) {
    guard case .waiting(let waiting, let slot) = exchange, waiting === reply else { return }
    loop.unpark(self, slot: slot)
    exchange = .resuming(response)
    engine.resume()
  }

  /// There is something to fetch from the stream. Ignored if its request is over.
  func wake(_ stream: HTTPStream) {
    if case .streaming(let body) = exchange, body.stream === stream { body.resume() }
  }

  /// The client of a parked request closed its side.
  func clientLeft() {
    switch exchange {
    case .waiting(let reply, let slot):
      loop.unpark(self, slot: slot)
      exchange = .leaving
      engine.resume()
      reply.end(.clientLeft)
    case .streaming(let body):
      body.clientLeft()
    case .idle, .head, .reading, .draining, .resuming, .leaving, .answered:
      break
    }
  }

  /// The wait is over its deadline.
  func timeOut() {
    switch exchange {
    case .waiting(let reply, _): reply.end(.timedOut)
    case .streaming(let body): body.due()
    case .idle, .head, .reading, .draining, .resuming, .leaving, .answered: break
    }
  }

  /// The server stops.
  func stop() {
    switch exchange {
    case .waiting(let reply, _): reply.end(.stopping)
    case .streaming(let body): body.resume()
    case .idle, .head, .reading, .draining, .resuming, .leaving, .answered: break
    }
  }

  /// Answers a waiting request in its owner's place, unless the owner's answer is on its way; ends a parked stream.
  func force(_ response: HTTPResponse) {
    switch exchange {
    case .waiting(let reply, _): if reply.close() { resume(reply, with: response) }
    case .streaming(let body): body.resume()
    case .idle, .head, .reading, .draining, .resuming, .leaving, .answered: break
    }
  }

  private func screen() -> Bool {
    let screening = HeadScreening(engine, limit: loop.shared.configuration.maxBodyBytes)
    if let refusal = screening.refusal { return refuse(refusal) }
    hosts = screening.hosts
    exchange = .reading
    return true
  }

  private func collect(_ piece: UnsafeBufferPointer<UInt8>) -> Bool {
    if body.count + piece.count > loop.shared.configuration.maxBodyBytes {
      clearBody()
      exchange = .draining(dropped: piece.count)
    } else {
      body.append(contentsOf: piece)
    }
    return true
  }

  private func finish() -> Bool {
    defer { clearBody() }
    readBy = .max
    guard !loop.isFinishing else { return queue(.unavailable) }
    switch loop.shared.handler(HTTPRequest(connection: self)) {
    case .now(let response):
      return queue(response)
    case .later(let reply):
      if let response = reply.bind(to: loop, self) { return queue(response) }
      engine.suspend()
      exchange = .waiting(reply, slot: loop.park(self, deadline: reply.deadline))
      return true
    case .stream(let head, let stream):
      return begin(stream, head)
    }
  }

  private func begin(_ stream: HTTPStream, _ head: HTTPResponse) -> Bool {
    stream.bind()
    let body = StreamedBody(stream, of: self, on: loop, first: head.body)
    let closing = head.closesConnection || loop.isStopping
    guard engine.queue(head, streaming: body, with: loop.shared.configuration.commonFields, closing: closing) else {
      stream.lose()
      return queue(.failure)
    }
    engine.beginStreaming(stall: loop.shared.configuration.streamStallTimeout)
    exchange = .streaming(body)
    readBy = body.lastMoment
    return true
  }

  private func refuse(_ refusal: HTTPRefusal) -> Bool {
    var response = loop.shared.onRefusal(refusal)
    response.closesConnection = true
    return queue(response)
  }

  private func queue(_ response: HTTPResponse) -> Bool {
    exchange = .answered
    let closing = response.closesConnection || loop.isStopping
    let common = loop.shared.configuration.commonFields
    if engine.queue(response, with: common, closing: closing) { return true }
    return engine.queue(.failure, with: common, closing: true)
  }

  private func clearBody() {
    if body.capacity > Self.keptCapacity { body = [] } else { body.removeAll(keepingCapacity: true) }
  }
}
