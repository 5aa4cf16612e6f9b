// SPDX-License-Identifier: MIT
import CMicroHTTPDShim

extension Connection {
  /// Looks whether the client has done its part until `time`, and cuts it off if not.
  func checkDeadline(at time: UInt64) {
    switch exchange {
    case .reading:
      if deadline <= time {
        loop.tally.add(1, to: reader.isInBody ? .lateBodies : reader.hasBegun ? .lateHeads : .idle)
        engine.shutDown()
      } else if !reader.hasBegun, rest.isEmpty, engine.progress.client_has_ended {
        // It ended its side together with its last request, which libmicrohttpd is told only once. What is unread, a
        // request that came just now or the last record of TLS, has been read before the next look if it ever is.
        if seemedLeft || !engine.hasUnread { engine.shutDown() }
        seemedLeft = true
      }
    case .answered:
      let now = engine.progress.acknowledged
      let credit = loop.shared.responseCredit(now &- acknowledged)
      acknowledged = now
      deadline = min(deadline + credit, loop.now + loop.shared.responseNanoseconds)
      if deadline <= time {
        loop.tally.add(1, to: .lateResponses)
        engine.reset()
      }
    case .streaming:
      if deadline <= time {
        loop.tally.add(1, to: .stalledStreams)
        engine.reset()
      }
    case .read, .begun, .waiting, .resuming, .leaving:
      break
    }
  }
}
