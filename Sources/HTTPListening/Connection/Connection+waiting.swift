// SPDX-License-Identifier: MIT

/// The ends of a wait, of a stream, and of the time that a client has.
extension Connection {
  /// Goes on with the answer of a reply. Ignored if its request is no longer waiting.
  func resume(_ reply: DeferredReply, with outcome: DeferredReply.Outcome) {
    if case .arriving(let arrival) = exchange, arrival.reply === reply { return answered(arrival, with: outcome) }
    guard case .waiting(let waiting, let slot) = exchange, waiting === reply else { return outcome.lose() }
    loop.unpark(self, slot: slot)
    exchange = .resuming(outcome)
    engine.resume()
  }

  /// Notes that the stream has something to fetch. Ignored if its request is over.
  func wake(_ stream: HTTPStream) {
    if case .streaming(let body) = exchange, body.stream === stream { body.resume() }
  }

  /// Notes that the client closed its side. libmicrohttpd learns of it by itself only if it reads after that.
  /// It is told just once if the end comes together with the last bytes.
  func clientEnded() {
    hasEnded = true
    switch exchange {
    case .waiting, .streaming: clientLeft()
    case .idle, .head, .body, .arriving, .draining: loop.endings.append(tag)
    // The client gets its answer first.
    case .resuming, .leaving, .answered: break
    }
  }

  /// Closes the connection of a client that has ended its side, if no bytes of the client are unread.
  ///
  /// - Returns: Whether the connection has to be looked at again.
  func closeIfAllIsRead() -> Bool {
    switch exchange {
    // Its bytes are read when the ones before have been, and then it is looked at again.
    case .arriving(let arrival) where arrival.slot != nil: return false
    case .idle, .head, .body, .arriving, .draining:
      if engine.socket.hasUnread { return true }
      engine.socket.shutDown()
    case .waiting, .streaming, .resuming, .leaving, .answered: break
    }
    return false
  }

  private func clientLeft() {
    switch exchange {
    case .waiting(let reply, let slot):
      loop.unpark(self, slot: slot)
      exchange = .leaving
      engine.resume()
      reply.end(.clientLeft)
    case .streaming(let body): body.clientLeft()
    case .idle, .head, .body, .arriving, .draining, .resuming, .leaving, .answered: break
    }
  }

  /// Tells the owner that the deadline of the wait has passed.
  func timeOut() {
    switch exchange {
    case .waiting(let reply, _): reply.end(.timedOut)
    case .streaming(let body): body.due()
    case .arriving(let arrival): arrival.reply?.end(.timedOut)
    case .idle, .head, .body, .draining, .resuming, .leaving, .answered: break
    }
  }

  /// Ends a stream, since no stream goes on.
  func endStream() {
    if case .streaming(let body) = exchange { body.resume() }
  }

  /// Tells the owner of a wait or a stream that the server stops.
  func stop() {
    switch exchange {
    case .waiting(let reply, _): reply.end(.stopping)
    case .streaming(let body): body.stop()
    case .arriving(let arrival): arrival.reply?.end(.stopping)
    case .idle, .head, .body, .draining, .resuming, .leaving, .answered: break
    }
  }

  /// Answers a waiting request in its owner's place, unless the owner's answer is on its way. Ends a parked
  /// stream.
  func force(_ response: HTTPResponse) {
    switch exchange {
    case .waiting(let reply, _): if reply.close() { resume(reply, with: .response(response)) }
    case .streaming(let body): body.resume()
    case .arriving(let arrival): force(response, arrival)
    case .idle, .head, .body, .draining, .resuming, .leaving, .answered: break
    }
  }

  /// Cuts the client off if it has not done its part by `time`.
  func checkDeadline(at time: UInt64) {
    let tally = loop.tally
    switch exchange {
    case .idle: if deadline <= time { cutOff(tally.idle) }
    case .head: if deadline <= time { cutOff(tally.lateHeads) }
    case .body, .arriving, .draining: if deadline <= time { cutOff(tally.lateBodies) }
    case .answered:
      let now = engine.socket.acknowledged
      let credit = loop.shared.responseCredit(now &- acknowledged)
      acknowledged = now
      deadline = min(deadline + credit, loop.now + loop.shared.responseNanoseconds)
      if deadline <= time { reset(tally.lateResponses) }
    case .streaming: if deadline <= time { reset(tally.stalledStreams) }
    case .waiting, .resuming, .leaving: break
    }
  }

  /// Whether the connection is closed after a response. Where there are too many, only known clients keep theirs.
  func isLast(_ response: HTTPResponse) -> Bool {
    let isInTheWay = loop.isCrowded && !isKnown && address != .uncounted
    return response.closesConnection || endsConnection || answersEarly || loop.isStopping || isInTheWay
  }

  /// Whether no request has wholly come since the last one was over.
  var isIdle: Bool {
    switch exchange {
    case .idle, .head: true
    case .body, .arriving, .draining, .waiting, .resuming, .leaving, .answered, .streaming: false
    }
  }

  /// Closes the connection, which is idle, for the sake of others.
  func makeRoom() { cutOff(loop.tally.crowdedOut) }

  private func cutOff(_ counter: borrowing LoopTally.Counter) {
    counter.add()
    isCutOff = true
    engine.socket.shutDown()
  }

  private func reset(_ counter: borrowing LoopTally.Counter) {
    counter.add()
    isCutOff = true
    engine.socket.reset()
  }
}
