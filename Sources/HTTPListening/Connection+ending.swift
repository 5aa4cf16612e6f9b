// SPDX-License-Identifier: MIT

/// How a wait or a stream ends that its owner does not end.
extension Connection {
  /// The wait is over its deadline.
  func timeOut() {
    switch exchange {
    case .waiting(let reply, _): reply.end(.timedOut)
    case .streaming(let body): body.due()
    case .reading, .read, .begun, .resuming, .leaving, .answered: break
    }
  }

  /// No stream goes on.
  func endStream() {
    if case .streaming(let body) = exchange { body.resume() }
  }

  /// The server stops.
  func stop() {
    switch exchange {
    case .waiting(let reply, _): reply.end(.stopping)
    case .streaming(let body): body.stop()
    case .reading, .read, .begun, .resuming, .leaving, .answered: break
    }
  }

  /// Answers a waiting request in its owner's place, unless the owner's answer is on its way; ends a parked stream.
  func force(_ response: HTTPResponse) {
    switch exchange {
    case .waiting(let reply, _): if reply.close() { resume(reply, with: .response(response)) }
    case .streaming(let body): body.resume()
    case .reading, .read, .begun, .resuming, .leaving, .answered: break
    }
  }
}
