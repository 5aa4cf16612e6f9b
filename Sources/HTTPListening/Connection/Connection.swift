// SPDX-License-Identifier: MIT

/// A connection, and the request that it reads or answers. One object serves all requests of a connection.
// @unchecked Sendable: a reply and its inbox carry it across threads, but only its loop's thread touches it.
final class Connection: @unchecked Sendable {
  /// The progress of the present request.
  enum Exchange {
    /// No request line has been read.
    case idle
    /// The request line was read; the fields are not complete.
    case head
    /// The head passed the gate; the body, if any, is collected.
    case body
    /// The body is read by its owner while it comes.
    case arriving(Arrival)
    /// The body grew too long. So many bytes of it were thrown away, and the refusal follows when it ends.
    case draining(dropped: Int)
    /// The request is suspended and parked. Its reply has no answer yet.
    case waiting(DeferredReply, slot: Int)
    /// The request is resumed. The next handler call queues the response, or asks the handler again.
    case resuming(DeferredReply.Outcome)
    /// The request is resumed, but no client is left. The next handler call closes the connection.
    case leaving
    /// The response is queued.
    case answered
    /// The head is queued, and the body is made while it is sent.
    case streaming(StreamedBody)
  }

  /// The most bytes of a chunked body past the limit that are read so that it can be refused. Beyond it the
  /// connection is closed.
  static let mostDropped = 1_048_576

  let engine: EngineConnection
  let loop: EventLoop
  let engineIndex: Int
  let address: AddressKey
  var exchange = Exchange.idle

  // The present request.
  private(set) var method = ""
  /// The target; nil if it is not UTF-8.
  private(set) var target: String?
  private(set) var body: [UInt8] = []
  /// The body that is read while it comes; nil for one that is collected.
  var bodyStream: IncomingBody?
  /// Set when the answer comes before the body, which nobody reads then.
  var answersEarly = false
  /// Fields that the handler has added to the response, whichever response that will be.
  var answerFields: [HTTPField] = []
  /// Set by the handler, and cleared when the response is gzipped.
  var allowsGzip = false
  /// Set if the request's body came in chunks. Programs differ in how they read chunks, so no request is read
  /// after this one.
  private(set) var endsConnection = false
  /// The number of times that the handler was called for the request before, as far as they count.
  private(set) var attempt = 0
  /// The moment when the handler was first called for the request. It may wait from then on, however often it is called.
  private var firstAsked: UInt64 = 0
  /// Whether the handler was called for the request before.
  private var wasAsked = false
  /// Whether the handler has counted the request.
  var isCounted = false
  /// The mark that the handler gave the request.
  var mark: UInt16 = 0
  /// The time of the clock at which the request line was read.
  private(set) var beganAt: UInt64 = 0
  /// The client's address, if the handler knows it better than from the connection.
  var clientAddress: String?
  /// The name that the handler gave the request.
  var id: String?
  /// The notes that the handler made of the request.
  var notes: [(name: String, text: String)] = []
  /// The longest body that the request may have, in bytes. Set when the head is read.
  private(set) var bodyLimit = 0

  /// The time of the clock by which the client must have done its next step; `UInt64.max` while it is not the
  /// client's turn.
  var deadline: UInt64
  /// The number of bytes that the client's system had acknowledged at the last look.
  var acknowledged: UInt64 = 0
  /// Set when the client has ended its side, never cleared.
  var hasEnded = false
  /// Set when a request of a known client has come on the connection, never cleared.
  var isKnown = false
  /// Whether no request line has been read yet.
  private var isNewcomer = true
  /// The time of the clock at which it was opened, or at which the last request was over.
  private(set) var idleSince: UInt64
  /// Set when the client was cut off. From then on nothing is sent to it.
  var isCutOff = false
  /// The number of the connection's handshake, while that is under way.
  var handshake: UInt?
  /// The loop's slot and tag for this connection; set when it is opened.
  private var slot = 0
  private(set) var tag: UInt64 = 0

  init(engine: EngineConnection, loop: EventLoop, engineIndex: Int, address: AddressKey) {
    self.engine = engine
    self.loop = loop
    self.engineIndex = engineIndex
    self.address = address
    // The first request's time begins here, so it bounds the handshake of TLS too.
    deadline = loop.now + loop.shared.headNanoseconds
    idleSince = loop.now
  }

  /// Notes that the connection is ready for its first request.
  func open() {
    (slot, tag) = loop.look(after: self)
    loop.noteNewcomer()
    loop.beginHandshake(of: self)
  }

  /// Notes that the connection is closed.
  func close() {
    if case .idle = exchange {} else { complete() }
    if isNewcomer { loop.newcomers -= 1 }
    loop.forget(self, slot: slot)
  }

  // MARK: Reading, as the engine calls it

  /// Notes that the request line was read.
  func begin(target: String?) {
    self.target = target
    exchange = .head
    if isNewcomer { loop.newcomers -= 1 }
    isNewcomer = false
    beganAt = loop.now
    deadline = min(deadline, loop.now + loop.shared.headNanoseconds)
    loop.openRequests += 1
  }

  /// Whether the engine calls `screen` next.
  var awaitsHead: Bool {
    if case .head = exchange { true } else { false }
  }

  /// Checks the head once its fields are read. A response in this call closes the connection, even if more of
  /// the request is to come.
  /// - Returns: False to close the connection at once, as for the next two functions.
  func screen(method: String, isVersion0: Bool) -> Bool {
    self.method = method
    var gate = RequestGate(method: method, target: target, isVersion0: isVersion0, limits: loop.shared.limits)
    engine.show(to: &gate)
    let rule = gate.hasBody ? loop.shared.configuration.bodyRule?(method, target ?? "") : nil
    if let limit = rule?.limit { gate.bodyLimit = limit }
    bodyLimit = gate.bodyLimit
    gate.close()
    loop.tally.bytesReceived.add(method.utf8.count + (target?.utf8.count ?? 0) + gate.fieldBytes + 14)
    if let refusal = gate.refusal { return refuse(refusal) }
    endsConnection = gate.isChunked
    if rule?.isStreamed == true {
      return beginArrival(isShort: gate.lengthOfComing.map { $0 <= Self.mostDropped } == true)
    }
    exchange = .body
    deadline = gate.hasBody ? loop.now + loop.shared.bodyNanoseconds : .max
    return true
  }

  /// Keeps a piece of the body.
  func collect(_ piece: [UInt8]) -> Bool {
    loop.tally.bytesReceived.add(piece.count)
    switch exchange {
    case .body where body.count + piece.count <= bodyLimit:
      if body.isEmpty { body = piece } else { body += piece }
    case .body:
      body = []
      exchange = .draining(dropped: piece.count)
    case .draining(let dropped):
      guard dropped + piece.count <= Self.mostDropped else { return false }
      exchange = .draining(dropped: dropped + piece.count)
    case .arriving(let arrival): return arrive(piece, arrival)
    case .idle, .head, .waiting, .resuming, .leaving, .answered, .streaming: break
    }
    return true
  }

  /// Goes on with a request that has been read, or was resumed.
  func advance() -> Bool {
    switch exchange {
    case .body: finish()
    case .arriving(let arrival): endArrival(arrival)
    case .draining: refuse(.bodyTooLarge(limit: bodyLimit))
    case .resuming(.response(let response)): queue(response)
    case .resuming(.stream(let head, let stream)): begin(stream, head)
    case .resuming(.asksAgain(let isCounted)): askAgain(isCounted)
    case .leaving: false
    case .answered, .streaming: true
    case .idle, .head, .waiting:
      preconditionFailure("libmicrohttpd called the handler of a request that is \(exchange)")
    }
  }

  /// Notes that the request is over, answered or lost.
  func complete() {
    switch exchange {
    case .waiting(let reply, let slot):
      loop.unpark(self, slot: slot)
      reply.end(.clientLeft)
    case .streaming(let body): body.complete()
    case .arriving(let arrival): lose(arrival)
    case .resuming(let outcome): outcome.lose()
    case .idle, .head, .body, .draining, .leaving, .answered: break
    }
    exchange = .idle
    deadline = loop.now + loop.shared.idleNanoseconds
    idleSince = loop.now
    target = nil
    body = []
    bodyStream = nil
    answersEarly = false
    answerFields = []
    allowsGzip = false
    attempt = 0
    wasAsked = false
    isCounted = false
    mark = 0
    clientAddress = nil
    id = nil
    notes = []
    loop.openRequests -= 1
    if hasEnded { loop.endings.append(tag) }
  }

  // MARK: Answering

  private func askAgain(_ isCounted: Bool) -> Bool {
    prepareToAskAgain(isCounted)
    return finish()
  }

  func prepareToAskAgain(_ isCounted: Bool) {
    if isCounted { attempt += 1 }
    wasAsked = true
    // The handler adds these fields anew.
    answerFields = []
  }

  /// Calls the handler.
  func ask() -> HTTPAnswer {
    if !wasAsked {
      loop.tally.requests.add()
      firstAsked = loop.shared.clock.now
    }
    // A handler that took long must not shorten the time of clients for their next steps.
    defer { loop.now = loop.shared.clock.now }
    return loop.shared.handler(HTTPRequest(connection: self))
  }

  private func finish() -> Bool {
    deadline = .max
    guard !loop.isFinishing else { return queueOwn(loop.shared.unavailable) }
    switch ask() {
    case .now(let response):
      return queue(response)
    case .later(let reply):
      return wait(for: reply)
    case .stream(let head, let stream):
      return begin(stream, head)
    }
  }

  private func wait(for reply: DeferredReply) -> Bool {
    switch reply.bind(to: loop, self) {
    case .response(let response)?: return queue(response)
    case .stream(let head, let stream)?: return begin(stream, head)
    case .asksAgain(let isCounted)?: return askAgain(isCounted)
    case nil: break
    }
    park(for: reply)
    return true
  }

  /// Has the time of the request's waits begin now: its body has come.
  func restartTime() { firstAsked = loop.shared.clock.now }

  func park(for reply: DeferredReply) {
    engine.suspend()
    let deadline = reply.deadline.map { firstAsked + MonotonicClock.nanoseconds($0) } ?? .max
    exchange = .waiting(reply, slot: loop.park(self, until: deadline))
    if loop.isStopping { reply.end(.stopping) }
  }

  private func begin(_ stream: HTTPStream, _ head: HTTPResponse) -> Bool {
    stream.bind()
    guard case .bytes(let first) = head.body else { preconditionFailure("a stream began with a file: expected bytes") }
    let body = StreamedBody(stream, of: self, on: loop, first: first)
    let closing = isLast(head)
    guard engine.queue(head, streaming: body, with: answerFields, isHead: method == "HEAD", closing: closing) else {
      stream.lose()
      return queueOwn(loop.shared.failure)
    }
    engine.socket.beginStreaming(stall: loop.shared.configuration.streamStallTimeout)
    exchange = .streaming(body)
    deadline = body.lastMoment
    report(head)
    return true
  }

  private func refuse(_ refusal: HTTPRefusal) -> Bool {
    loop.tally.refused(refusal)
    var response = loop.shared.onRefusal(refusal, HTTPRequest(connection: self))
    response.closesConnection = true
    return queue(response)
  }

  private func queue(_ response: HTTPResponse) -> Bool {
    // When the loop ends, nothing may wait any more.
    if allowsGzip, !loop.isFinishing, response.isWorthGzip, let goesOn = gzip(response) { return goesOn }
    exchange = .answered
    deadline = loop.now + loop.shared.responseNanoseconds
    guard engine.queue(response, with: answerFields, closing: isLast(response)) else {
      return queueOwn(loop.shared.failure)
    }
    report(response)
    return true
  }

  /// Compresses the body while the request waits.
  /// - Returns: Nil if the body is to be sent as it is.
  private func gzip(_ response: HTTPResponse) -> Bool? {
    allowsGzip = false
    deadline = .max
    let reply = DeferredReply(deadline: nil) { _, _ in }
    return GzipQueue.shared.compress(response) { reply.answer($0) } ? wait(for: reply) : nil
  }

  /// Queues one of the listener's own responses, and closes the connection after it.
  func queueOwn(_ response: HTTPResponse) -> Bool {
    exchange = .answered
    deadline = loop.now + loop.shared.responseNanoseconds
    report(response)
    return engine.queue(response, with: [], closing: true)
  }

  private func report(_ response: HTTPResponse) {
    loop.shared.configuration.onExchange?(HTTPExchange(connection: self, response: response))
  }
}
