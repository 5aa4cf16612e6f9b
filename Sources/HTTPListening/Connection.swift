// SPDX-License-Identifier: MIT
import Buffers
import CMicroHTTPDShim

/// A connection and the request it is reading or answering; one object for all the requests of a connection.
// @unchecked Sendable: carried across threads by a reply and its inbox, but touched only on its loop's thread.
final class Connection: @unchecked Sendable {
  /// How far the present request is.
  enum Exchange {
    /// It is being read; libmicrohttpd has seen nothing of it.
    case reading
    /// It is read, or refused, and libmicrohttpd was given a head in its place; the handler calls follow.
    case read(HTTPRefusal?)
    /// The first of the two handler calls was made.
    case begun(HTTPRefusal?)
    /// Suspended and parked; the reply has no answer yet.
    case waiting(DeferredReply, slot: Int)
    /// Resumed; the coming handler call queues the response, or asks the handler again.
    case resuming(DeferredReply.Outcome)
    /// Resumed without anybody to answer; the coming handler call closes the connection.
    case leaving
    /// The response is queued.
    case answered
    /// The head is queued, and the body is made while it is sent.
    case streaming(StreamedBody)
  }

  // Exclusivity checks of the stored properties cost 4 % of a request; one thread touches them, and none across a call.
  @exclusivity(unchecked) var engine: EngineConnection
  let loop: EventLoop
  let engineIndex: Int
  let address: AddressKey
  @exclusivity(unchecked) private(set) var reader: RequestReader
  /// The reader's.
  let head: RequestHead
  /// Received behind the present request.
  @exclusivity(unchecked) private(set) var rest: [UInt8] = []
  /// What is to be sent in place of what libmicrohttpd is about to send, and how much of it was; empty when nothing is.
  @exclusivity(unchecked) var output = Buffer<UInt8>()
  @exclusivity(unchecked) var sent = 0
  /// What the handler has added to the present request's response, whichever that will be.
  @exclusivity(unchecked) var answerFields: [HTTPField] = []
  /// How often the handler was called for the present request before.
  @exclusivity(unchecked) private(set) var attempt = 0
  /// What the handler marked the present request with.
  @exclusivity(unchecked) var mark: UInt16 = 0
  /// When the present request's line was read, a time of `MonotonicClock`.
  @exclusivity(unchecked) private(set) var beganAt: UInt64 = 0
  /// The address of the present request's client, where the handler knows it better than by the connection.
  @exclusivity(unchecked) var clientAddress: String?
  @exclusivity(unchecked) private(set) var exchange = Exchange.reading

  /// When the client must have done its next step, a time of `MonotonicClock`; `UInt64.max` while it is not its turn.
  @exclusivity(unchecked) var deadline: UInt64
  /// What the client's system has acknowledged, when it was last looked at.
  var acknowledged: UInt64 = 0
  /// Set when the client had ended its side, with something unread, when it was last looked at.
  var seemedLeft = false
  /// Set when a request is refused: the client may still be sending, and would lose the answer in a reset.
  private(set) var lingers = false
  /// The loop's slot for this connection; set when it is opened.
  private var slot = 0

  init(engine: EngineConnection, loop: EventLoop, engineIndex: Int, address: AddressKey) {
    self.engine = engine
    self.loop = loop
    self.engineIndex = engineIndex
    self.address = address
    let reader = RequestReader(limits: loop.shared.limits)
    head = reader.head
    self.reader = reader
    // Counted from here for the first request, so that it bounds the handshake of TLS too.
    deadline = loop.now + loop.shared.headNanoseconds
  }

  /// The connection is ready for its first request.
  func open() { slot = loop.look(after: self) }

  /// The connection is closed.
  func close() { loop.forget(self, slot: slot) }

  /// Reads in libmicrohttpd's place, and gives it a head of ours once a request has been read.
  /// - Returns: As a `cmhd_reader` does.
  func receive(into space: UnsafeMutableRawBufferPointer) -> Int {
    guard case .reading = exchange else { return Int(CMHD_AGAIN) }
    if !rest.isEmpty {
      let input = rest
      rest = []
      if let given = input.withUnsafeBufferPointer({ read($0, isLast: false, space) }) { return given }
    }
    while true {
      let count = engine.receive(into: loop.received)
      guard count > 0 else {
        if count == Int(CMHD_AGAIN), reader.takeExpectation() { engine.sendContinue() }
        return count
      }
      loop.tally.add(count, to: .bytesReceived)
      let input = UnsafeBufferPointer(rebasing: loop.received.prefix(count))
      if let given = read(input, isLast: count < loop.received.count, space) { return given }
    }
  }

  /// The request line of the head that libmicrohttpd was given was read.
  func begin() {
    mark = 0
    clientAddress = nil
    beganAt = loop.now
    loop.openRequests += 1
  }

  /// A handler call of the engine.
  /// - Returns: False to close the connection.
  func advance() -> Bool {
    switch exchange {
    case .read(let refusal):
      // A response in this first call would close the connection.
      exchange = .begun(refusal)
      return true
    case .begun(let refusal):
      return refusal.map(refuse) ?? finish()
    case .resuming(.response(let response)):
      return queue(response)
    case .resuming(.asksAgain):
      return askAgain()
    case .leaving:
      return false
    case .answered, .streaming:
      return true
    case .reading:
      // It did not read through us, so nothing of the request was checked.
      return false
    case .waiting:
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
    case .reading, .read, .begun, .resuming, .leaving, .answered:
      break
    }
    exchange = .reading
    deadline = loop.now + (rest.isEmpty ? loop.shared.idleNanoseconds : loop.shared.headNanoseconds)
    reader.next()
    attempt = 0
    if !answerFields.isEmpty { answerFields = [] }
    if !output.isEmpty { dropOutput() }
    loop.openRequests -= 1
  }

  /// The reply was answered. Ignored if its request is no longer waiting.
  func resume(_ reply: DeferredReply, with outcome: DeferredReply.Outcome) {
    guard case .waiting(let waiting, let slot) = exchange, waiting === reply else { return }
    loop.unpark(self, slot: slot)
    exchange = .resuming(outcome)
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
    case .reading, .read, .begun, .resuming, .leaving, .answered:
      break
    }
  }

  /// - Returns: What to tell libmicrohttpd if a request is read or refused; nil if more bytes are needed.
  private func read(
    _ input: UnsafeBufferPointer<UInt8>, isLast: Bool, _ space: UnsafeMutableRawBufferPointer
  ) -> Int? {
    seemedLeft = false
    let (hadBegun, wasInBody) = (reader.hasBegun, reader.isInBody)
    let (taken, progress) = reader.read(input)
    switch progress {
    case .incomplete:
      if !wasInBody, reader.isInBody {
        deadline = loop.now + loop.shared.bodyNanoseconds
      } else if !hadBegun {
        deadline = min(deadline, loop.now + loop.shared.headNanoseconds)
      }
      return nil
    case .complete:
      if taken < input.count { rest = Array(input[taken...]) }
      return give(nil, fills: taken < input.count || !isLast, space)
    case .refused(let refusal):
      return give(refusal, fills: false, space)
    }
  }

  private func give(_ refusal: HTTPRefusal?, fills: Bool, _ space: UnsafeMutableRawBufferPointer) -> Int {
    lingers = refusal != nil
    exchange = .read(refusal)
    deadline = .max
    return StubHead(head, closing: refusal != nil).write(to: space, fills: fills) ?? Int(CMHD_LOST)
  }

  private func askAgain() -> Bool {
    attempt += 1
    // The handler adds them anew.
    answerFields = []
    return finish()
  }

  private func finish() -> Bool {
    var keepsRequest = false
    defer { if !keepsRequest { reader.dropBody() } }
    guard !loop.isFinishing else { return queue(.unavailable) }
    if attempt == 0 { loop.tally.add(1, to: .requests) }
    let answer = loop.handler(HTTPRequest(connection: self))
    // A handler that took long must not shorten what the clients have for their next steps.
    loop.now = MonotonicClock.now
    // Not copied: there are many parts to be counted.
    switch consume answer {
    case .now(let response):
      return queue(response)
    case .later(let reply):
      switch reply.bind(to: loop, self) {
      case .response(let response)?: return queue(response)
      case .asksAgain?:
        keepsRequest = true
        return askAgain()
      case nil: keepsRequest = reply.keepsRequest
      }
      engine.suspend()
      exchange = .waiting(reply, slot: loop.park(self, deadline: reply.deadline))
      if loop.isStopping { reply.end(.stopping) }
      return true
    case .stream(let head, let stream):
      return begin(stream, head)
    }
  }

  private func begin(_ stream: HTTPStream, _ head: HTTPResponse) -> Bool {
    stream.bind()
    let (isHead, isVersion0) = (self.head.isHead, self.head.isVersion0)
    // What has no length and no chunks ends with the connection.
    let closing = head.closesConnection || loop.isStopping || isHead || isVersion0
    let inChunks = !isHead && !isVersion0
    guard write(head, .streamed(inChunks: inChunks), closing: closing) else {
      stream.lose()
      return queue(.failure)
    }
    if !isHead, !head.body.isEmpty { send(head.body, inChunks: inChunks) }
    let body = StreamedBody(stream, of: self, on: loop, inChunks: inChunks)
    guard engine.queue(streaming: body, toHead: isHead, closing: closing) else {
      stream.lose()
      return false
    }
    engine.beginStreaming(stall: loop.shared.configuration.streamStallTimeout)
    exchange = .streaming(body)
    deadline = body.lastMoment
    report(head)
    return true
  }

  private func refuse(_ refusal: HTTPRefusal) -> Bool {
    loop.tally.add(1, to: .refused(refusal))
    var response = loop.shared.onRefusal(refusal, HTTPRequest(connection: self))
    response.closesConnection = true
    return queue(response)
  }

  private func queue(_ response: HTTPResponse) -> Bool {
    exchange = .answered
    deadline = loop.now + loop.shared.responseNanoseconds
    let closing = response.closesConnection || loop.isStopping
    if write(response, .bytes(response.body), closing: closing) {
      report(response)
      return loop.stub.queue(on: engine.pointer, closing: closing)
    }
    answerFields = []
    report(.failure)
    return write(.failure, .bytes([]), closing: true) && loop.stub.queue(on: engine.pointer, closing: true)
  }

  private func report(_ response: HTTPResponse) {
    if let tell = loop.onExchange { tell(HTTPExchange(connection: self, response: response)) }
  }
}
