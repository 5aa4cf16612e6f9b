// SPDX-License-Identifier: MIT

/// A request whose body is still coming, while its handler has been asked already.
final class Arrival {
  let body: IncomingBody
  /// The reply that the handler has promised; nil once it is answered.
  var reply: DeferredReply?
  /// The answer, which is sent when the body has ended: libmicrohttpd takes none before.
  var outcome: DeferredReply.Outcome?
  /// Bytes of the body that have come.
  var received = 0
  /// Bytes that came after the answer, and were thrown away.
  var dropped = 0
  /// The slot in which the connection is parked until bytes are read; nil if it is not parked.
  var slot: Int?

  init(_ body: IncomingBody) { self.body = body }
}

/// Bodies that are read while they come.
extension Connection {
  /// Asks the handler with the head alone, and lets the body come.
  ///
  /// - Parameter isShort: whether the body is let come and dropped where the answer is there before it, so that the
  ///   connection can go on.
  func beginArrival(isShort: Bool) -> Bool {
    let arrival = Arrival(IncomingBody(of: self, on: loop))
    exchange = .arriving(arrival)
    bodyStream = arrival.body
    deadline = loop.now + loop.shared.bodyNanoseconds
    guard let outcome = ask(for: arrival) else { return true }
    if isShort {
      settle(arrival, outcome)
      return true
    }
    arrival.body.lose()
    // libmicrohttpd reads no body after such an answer, and closes the connection. It must get the answer in this call.
    answersEarly = true
    allowsGzip = false
    exchange = .resuming(outcome)
    return advance()
  }

  /// Asks the handler.
  ///
  /// - Returns: the answer, if there is one already.
  private func ask(for arrival: Arrival) -> DeferredReply.Outcome? {
    while !loop.isFinishing {
      switch ask() {
      case .now(let response): return .response(response)
      case .stream(let head, let stream): return .stream(head, stream)
      case .later(let reply):
        switch reply.bind(to: loop, self) {
        case .asksAgain(let isCounted)?: prepareToAskAgain(isCounted)
        case let outcome?: return outcome
        case nil:
          arrival.reply = reply
          if loop.isStopping { reply.end(.stopping) }
          return nil
        }
      }
    }
    return .response(loop.shared.unavailable)
  }

  /// Takes a piece of the body.
  /// - Returns: False to close the connection.
  func arrive(_ piece: [UInt8], _ arrival: Arrival) -> Bool {
    arrival.received += piece.count
    if arrival.outcome == nil, arrival.received > bodyLimit {
      let refusal = HTTPRefusal.bodyTooLarge(limit: bodyLimit)
      arrival.reply?.end(.clientLeft)
      arrival.reply = nil
      loop.tally.refused(refusal)
      settle(arrival, .response(loop.shared.onRefusal(refusal, HTTPRequest(connection: self))))
    }
    if arrival.outcome != nil {
      arrival.dropped += piece.count
      return arrival.dropped <= Self.mostDropped
    }
    // libmicrohttpd hands over all chunks that it has read, also while the connection is parked.
    if arrival.slot == nil {
      deadline = min(deadline + loop.shared.bodyCredit(piece.count), loop.now + loop.shared.bodyNanoseconds)
    }
    if arrival.body.take(piece), arrival.slot == nil, !loop.isFinishing {
      engine.suspend()
      let time = arrival.reply?.deadline.map { loop.now + MonotonicClock.nanoseconds($0) }
      arrival.slot = loop.park(self, until: time ?? .max)
      deadline = .max
    }
    return true
  }

  /// Notes that the whole body has come.
  func endArrival(_ arrival: Arrival) -> Bool {
    deadline = .max
    arrival.body.end()
    restartTime()
    if let outcome = arrival.outcome {
      exchange = .resuming(outcome)
      return advance()
    }
    guard let reply = arrival.reply else { preconditionFailure("a body has ended that nobody answers") }
    // When the loop ends, nothing may wait any more. An answer that is on its way comes too late.
    if loop.isFinishing {
      _ = reply.close()
      return queueOwn(loop.shared.unavailable)
    }
    park(for: reply)
    return true
  }

  /// Notes that the owner has read what has come.
  func bodyWasRead(_ body: IncomingBody) {
    if case .arriving(let arrival) = exchange, arrival.body === body { goOn(arrival) }
  }

  /// Takes the answer of a reply while the body comes.
  func answered(_ arrival: Arrival, with outcome: DeferredReply.Outcome) {
    arrival.reply = nil
    guard case .asksAgain(let isCounted) = outcome else { return settle(arrival, outcome) }
    prepareToAskAgain(isCounted)
    if let next = ask(for: arrival) { settle(arrival, next) }
  }

  /// Answers in the owner's place, as the loop ends.
  func force(_ response: HTTPResponse, _ arrival: Arrival) {
    if let reply = arrival.reply, !reply.close() { return }
    arrival.reply = nil
    settle(arrival, arrival.outcome ?? .response(response))
  }

  /// Notes that the request is over before its body.
  func lose(_ arrival: Arrival) {
    if let slot = arrival.slot { loop.unpark(self, slot: slot) }
    arrival.slot = nil
    arrival.body.lose()
    arrival.reply?.end(.clientLeft)
    arrival.reply = nil
    arrival.outcome?.lose()
  }

  private func settle(_ arrival: Arrival, _ outcome: DeferredReply.Outcome) {
    arrival.outcome = outcome
    arrival.body.lose()
    goOn(arrival)
  }

  /// Reads on, if the connection is parked.
  private func goOn(_ arrival: Arrival) {
    guard let slot = arrival.slot else { return }
    arrival.slot = nil
    loop.unpark(self, slot: slot)
    deadline = loop.now + loop.shared.bodyNanoseconds
    engine.resume()
    if hasEnded { loop.endings.append(tag) }
  }
}
