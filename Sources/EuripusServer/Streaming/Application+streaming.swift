// SPDX-License-Identifier: MIT
import HTTPListening
import Sessions

/// Following changes by a stream of events (PROTOCOL §5).
extension Application {
  /// A stream of the frames from `since` on. Each frame is computed when the one before has left.
  func stream(_ access: Access, since: Version?) -> HTTPAnswer {
    let session = access.session
    if readiness.isDraining { return shortStream(access, since: since) }
    let follower = Waiter.follower(since: since, of: access.requester)
    let hasBegun = Claim()
    let stream = HTTPStream(
      filler: HTTPStream.Filler(EventStreamText.comment, every: streaming.heartbeat), life: streaming.life
    ) { stream in
      let isFirst = hasBegun.take()
      session.submit(from: isFirst ? access.requester : nil) { session in
        isFirst ? session.follow(follower) { Self.deliver($0, to: stream) } : session.next(for: follower)
      } then: { result in
        Self.deliver(result, to: stream)
      }
    } ended: { [host, streaming] stream, ending in
      var pause = Duration.zero
      switch ending {
      case .clientLeft: break
      case .livedOut, .stopping:
        pause = streaming.scatteredRetry
        stream.finish(EventStreamText.retry(after: pause))
      }
      host.noteUse(of: session)
      session.submit { [pause] session in
        session.touch(host.now())
        session.endWait(of: follower, nil, pause: pause)
      }
    }
    return .stream(.plain(200, EventStreamText.retry(after: streaming.retry), Self.streamFields), stream)
  }

  /// A stream of a server that drains: it has the newer frames, and ends at once. It is not a problem, since
  /// after a problem a browser's EventSource would not come back to the server that has the session by then.
  private func shortStream(_ access: Access, since: Version?) -> HTTPAnswer {
    inSession(access) { [streaming] session in
      try session.check(nil)
      let begin = EventStreamText.retry(after: streaming.scatteredRetry)
      switch session.poll(since: since) {
      case .changed(let message): return .plain(200, begin + EventStreamText.event(message), Self.streamFields)
      case .closed: throw SessionError.closed
      case .failed(let error): throw error
      case .unchanged, .displaced: return .plain(200, begin, Self.streamFields)
      }
    }
  }

  private static let streamFields = [
    HTTPField("Content-Type", EventStreamText.mediaType), HTTPField("Cache-Control", "no-store, no-transform"),
    HTTPField("X-Accel-Buffering", "no"), changesVary,
  ]

  private static func deliver(_ result: Result<PollAnswer?, SessionError>, to stream: HTTPStream) {
    switch result {
    case .success(let answer): if let answer { deliver(answer, to: stream) }
    // A client that comes back finds the session again.
    case .failure(.left): deliver(.closed, to: stream)
    case .failure(let error): deliver(.failed(error), to: stream)
    }
  }

  private static func deliver(_ answer: PollAnswer, to stream: HTTPStream) {
    switch answer {
    case .changed(let message): stream.send(EventStreamText.event(message))
    case .displaced(let seconds): stream.finish(EventStreamText.retry(after: .seconds(seconds)))
    // The client comes back at once, and learns that the session is closed.
    case .closed: stream.finish(EventStreamText.retry(after: .zero))
    // The client gets the reason when it polls.
    case .failed: stream.finish(EventStreamText.retry(after: .seconds(2)))
    // Only polls are told this. A follower goes on waiting.
    case .unchanged: break
    }
  }
}
